// Owns the measurements that a project keeps in files, in its repository, where a store is not: for CI and for colleagues.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { EntailError, messageOf } from "../../core/error.ts";
import type { JudgeMeasurement } from "../../core/store.ts";
import { readQuality } from "../../judge/measured-quality.ts";
import { displayPath } from "../path.ts";
import { inFile } from "../problem.ts";
import type { Project } from "../project.ts";

/** Of the configuration's `measurements`. Throws `config_invalid` for a file that is none: a judge that is thought to be measured must be. */
export function keptMeasurements({ root, cwd, config }: Pick<Project, "root" | "cwd" | "config">): readonly JudgeMeasurement[] {
  const { measurements = [] } = config;
  return (typeof measurements === "string" ? [measurements] : measurements).map((named) => {
    const file = resolve(root, named);
    const refuse = (why: string, cause?: unknown): never => {
      throw inFile(new EntailError("config_invalid", `${displayPath(file, cwd)} is no measurement of a judge: ${why}; entail judge test --output writes one`, { cause }), file);
    };
    let value: unknown;
    try {
      value = JSON.parse(readFileSync(file, "utf8"));
    } catch (cause) {
      return refuse((cause as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such file" : messageOf(cause), cause);
    }
    const { fingerprint, at, judge, body } = (value ?? {}) as Partial<JudgeMeasurement>;
    const quality = readQuality(body);
    if (typeof fingerprint !== "string" || quality === undefined) return refuse("it has another form");
    return { fingerprint, at: at ?? quality.at, judge: judge ?? quality.judge, body };
  });
}
