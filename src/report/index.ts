// The door "entail/report": a run's report as text, and back.

export { encodeReport, encodeReportParts, encodeReportPartsSync, type EncodeOptions } from "./encode-report.ts";
export { decodeReport } from "./decode-report.ts";
export { countTotals, totalsOf, type TotalsCounter } from "./totals.ts";
