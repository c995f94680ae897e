// The door "entail/report": a run's report as text, and back.

export { encodeReport, encodeReportParts, encodeReportPartsSync, type EncodeOptions } from "./encode-report.ts";
export { decodeReport } from "./decode-report.ts";
export { countTotals, totalsOf, type TotalsCounter } from "./totals.ts";
export { fileNameOf } from "./file-name.ts";
export { csvParts, CSV_COLUMNS } from "./format/csv.ts";
export { githubParts, type GithubOptions } from "./format/github.ts";
export { jsonlParts, jsonlReporter } from "./format/jsonl.ts";
export { junitParts } from "./format/junit.ts";
export { COMMENT_BYTES, markdownParts, type MarkdownOptions, SUMMARY_BYTES } from "./format/markdown.ts";
export type { FormatOptions, WriteFormat } from "./format/parts.ts";
export { compareReports, type ComparedRuns, type CompareOptions } from "./compare-reports.ts";
export { compareVariants, type CompareVariantsOptions } from "./compare-variants.ts";
export { comparableHead, comparableRun, comparableScenario, type RunFacts, type ScenarioFacts } from "./comparable-run.ts";
export { comparisonToWire, encodeComparison, type EncodeComparisonOptions } from "./encode-comparison.ts";
export { baselineOf, decodeBaseline, encodeBaseline } from "./baseline.ts";
export { COMPARISON_VERDICTS, MEASURES } from "../core/comparison.ts";
export type {
  Baseline, ComparableRun, ComparableScenario, Comparison, ComparisonEstimate, ComparisonGroup, ComparisonSide, ComparisonVerdict, Flip, FlipSide, Matrix, Measure, MeasureChange,
  NotCompared, ScenarioChange, ScenarioRef, VariantPair, VariantResult,
} from "../core/comparison.ts";
