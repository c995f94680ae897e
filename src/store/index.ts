// The door "entail/store": where runs are kept, and read again.

export type {
  CallPage,
  EvidenceHead,
  Holder,
  Invocation,
  JudgeMeasurement,
  PlannedScenario,
  Reopening,
  RunManifest,
  RunQuery,
  ScenarioPage,
  ScenarioPast,
  ScenarioQuery,
  ScenarioRow,
  ScenarioSort,
  Store,
  StoredLabel,
  StoredRun,
  TrialKey,
} from "../core/store.ts";
export { openStore, type OpenStoreOptions } from "./open-store.ts";
