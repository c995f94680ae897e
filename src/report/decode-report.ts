// Owns the reading of a report from its wire form, ours and Goa-AI's.

import { EntailError } from "../core/error.ts";
import type { Report } from "../core/report.ts";

export function decodeReport(report: unknown): Report {
  throw new EntailError("report_unreadable", `cannot read ${typeof report}`);
}
