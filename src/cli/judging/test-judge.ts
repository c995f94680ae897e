// Owns `entail judge test`: the judge calibrated, measured by human labels, shown, and kept for the runs to come.

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { EntailError, messageOf } from "../../core/error.ts";
import type { JudgeMeasurement } from "../../core/store.ts";
import { calibrate } from "../../judge/calibrate.ts";
import type { Split } from "../../judge/labelled-row.ts";
import { measureJudge } from "../../judge/measure-judge.ts";
import { measurementOf } from "../../judge/measured-quality.ts";
import { qualityJson, qualityText } from "../../judge/quality-text.ts";
import { openStore } from "../../store/open-store.ts";
import type { FlagValues } from "../command-line.ts";
import type { LazyStore } from "../compared-run.ts";
import { type Desk, writeJson } from "../desk.ts";
import { displayPath } from "../path.ts";
import { listenForInterrupt } from "../process/interrupt.ts";
import type { Project } from "../project.ts";
import { makeOwnFolder, storePlace } from "../store-place.ts";
import { writeText } from "./write-text.ts";
import { findJudge } from "./find-judge.ts";
import { readLabelsFile, storedRows } from "./labels-file.ts";

/** By the labels of `file`, else of the store. Returns 0, or 3 where the judge fails its calibration or answers no row. Throws `labels_invalid` or `judge_required`. */
export async function testJudge(file: string | undefined, flags: FlagValues, project: Project, store: LazyStore, desk: Desk): Promise<number> {
  const judge = await findJudge(flags, project);
  const rows = file === undefined ? await storedRows(await store.open(), judge.judgeEvidence === true) : readLabelsFile(file, project.cwd);
  const { view, clock } = desk;
  const interrupt = listenForInterrupt({ first: view.interrupted, second: desk.guard.end });
  try {
    view.phase("calibrating the judge");
    const calibration = await calibrate(judge, { clock, signal: interrupt.signal, scope: { suite: "", scenario: "", trial: 1, purpose: "calibration", ordinal: 0 } });
    if (!calibration.passed) throw new EntailError(calibration.error?.code === "cancelled" ? "cancelled" : "calibration_failed", calibration.error?.message ?? "the calibration of the judge failed");
    const quality = await measureJudge(judge, rows, {
      clock,
      signal: interrupt.signal,
      repeats: flags["repeats"] as number | undefined,
      split: flags["split"] as Split | undefined,
      maxConcurrency: flags["maxConcurrency"] as number | undefined,
      progress: (done, of) => view.phase(`judging labelled outputs, ${done} of ${of}`),
    });
    view.phase(undefined);
    view.rest();
    if (flags["json"] === true) await writeJson(qualityJson(quality), desk);
    else await writeText(qualityText(quality), desk);
    const fingerprint = judge.identity?.fingerprint;
    // What was tuned on, what answered nothing and what nothing can be tied to is no measurement of a judge.
    if (fingerprint !== undefined && quality.split === "test" && quality.rows > 0) await keep(measurementOf(quality, fingerprint), flags, project, desk);
    return quality.rows > 0 ? 0 : 3;
  } catch (thrown) {
    if (thrown instanceof EntailError && (thrown.code === "calibration_failed" || thrown.code === "cancelled")) {
      view.phase(undefined);
      view.rest();
      view.problem({ code: thrown.code, message: thrown.message });
      return interrupt.exitCode() ?? 3;
    }
    throw thrown;
  } finally {
    view.phase(undefined);
    interrupt.close();
  }
}

async function keep(measurement: JudgeMeasurement, flags: FlagValues, project: Project, desk: Desk): Promise<void> {
  const shown = flags["output"] as string | undefined;
  if (shown !== undefined) {
    try {
      writeFileSync(resolve(project.cwd, shown), `${JSON.stringify(measurement, null, 2)}\n`);
    } catch (cause) {
      throw new EntailError("output_unwritable", `the measurement cannot be written to ${shown}: ${messageOf(cause)}`, { cause });
    }
    desk.view.note(`kept in ${shown}: name it under measurements in the configuration, and runs of this judge report corrected rates`);
  }
  const place = storePlace(flags, project);
  if (place === undefined) return;
  makeOwnFolder(place);
  const store = await openStore(place.url, { now: () => desk.clock.now() });
  try {
    await store.putMeasurement(measurement);
    await store.flush();
    for (const { code, message } of store.warnings) desk.view.warning({ code, message });
    desk.view.note(`kept in ${displayPath(place.url.replace(/^sqlite:/, ""), project.cwd)}: runs of this judge now report corrected rates`);
  } finally {
    await store.close();
  }
}
