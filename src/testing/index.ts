// The door "entail/testing": fakes that behave like the real parts, for the tests of an evaluation.

export { calibrationAnswer, judgeAnswer, judgeArguments, judgeTask, toolCallResponse, type JudgeTask, type ScriptedLabel, type ScriptedLabels } from "./judge-answer.ts";
export { fakeClock, type FakeClock, type FakeClockOptions } from "./fake-clock.ts";
export { recordingReporter, type RecordingReporter, type ReporterCall } from "./recording-reporter.ts";
export { scriptedJudge, type ScriptedJudge, type ScriptedJudgeOptions } from "./scripted-judge.ts";
export { scriptedProvider, type ScriptedCall, type ScriptedProvider, type ScriptedProviderOptions, type ScriptedResponse } from "./scripted-provider.ts";
export { targetContract, type ContractCheck, type TargetContractOptions, type TargetHarness, type TargetSituation } from "./target-contract.ts";
export { storeContract, type StoreHarness } from "./store-contract.ts";
