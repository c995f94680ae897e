// Written by `entail gen`. Edit the design, not this file.
import { bindSuite, codec, type HookContext, type Result, type Suite } from "entail/generated";

export type AlarmQuestion = {
  /** Who asks. */
  user_id: string;
  /** What they ask. */
  prompt: string;
};

export type AcknowledgeInput = {
  alarm_id: string;
};

export type ScenarioId = "alarm_inventory" | "count_by_severity" | "critical_alarms" | "alarm_cause" | "unknown_alarm" | "acknowledge" | "delete_waits" | "out_of_scope" | "greeting" | "inventory_ready";
export type Tag = "failure" | "paging" | "production" | "smoke" | "write";

/** What people ask the alarm agent in production. */
export interface Hooks {
  /** Reports every alarm of a window, page after page. */
  readonly alarmInventory: (ctx: HookContext, input: AlarmQuestion) => Result | Promise<Result>;
  /** Counts alarms over all pages and names no cause that nobody asked for. */
  readonly countBySeverity: (ctx: HookContext, input: AlarmQuestion) => Result | Promise<Result>;
  /** Asks for one severity alone. */
  readonly criticalAlarms: (ctx: HookContext, input: AlarmQuestion) => Result | Promise<Result>;
  /** Explains one alarm from what the tool said. */
  readonly alarmCause: (ctx: HookContext, input: AlarmQuestion) => Result | Promise<Result>;
  /** Says so when there is no such alarm. */
  readonly unknownAlarm: (ctx: HookContext, input: AlarmQuestion) => Result | Promise<Result>;
  /** Acknowledges the alarm it was asked to, and no other. */
  readonly acknowledge: (ctx: HookContext, input: AcknowledgeInput) => Result | Promise<Result>;
  /** Stops for a confirmation before it deletes. */
  readonly deleteWaits: (ctx: HookContext, input: AlarmQuestion) => Result | Promise<Result>;
  /** Declines what is not about alarms, without a tool. */
  readonly outOfScope: (ctx: HookContext, input: AlarmQuestion) => Result | Promise<Result>;
  /** The older text form. */
  readonly greeting: (ctx: HookContext, text: string) => Result | Promise<Result>;
  /** The inventory holds what the scenarios count on. */
  readonly inventoryReady: (ctx: HookContext) => Result | Promise<Result>;
}

export interface Inputs {
  readonly alarmInventory: AlarmQuestion;
  readonly countBySeverity: AlarmQuestion;
  readonly criticalAlarms: AlarmQuestion;
  readonly alarmCause: AlarmQuestion;
  readonly unknownAlarm: AlarmQuestion;
  readonly acknowledge: AcknowledgeInput;
  readonly deleteWaits: AlarmQuestion;
  readonly outOfScope: AlarmQuestion;
}

/** Suite "alarms" with these hooks and inputs. Throws one error that names every fault of both. */
export function newSuite(hooks: Hooks, inputs: Inputs): Suite<ScenarioId, Tag> {
  return bindSuite<ScenarioId, Tag>(suite, hooks, inputs);
}

const $defs = {
  AlarmQuestion: {
    type: "object",
    properties: {
      user_id: {
        type: "string",
        format: "uuid",
        pattern: "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$",
        description: "Who asks.",
      },
      prompt: { type: "string", minLength: 1, description: "What they ask." },
    },
    required: ["user_id", "prompt"],
    additionalProperties: false,
  },
  AcknowledgeInput: {
    type: "object",
    properties: { alarm_id: { type: "string", pattern: "^A-\\d+$" } },
    required: ["alarm_id"],
    additionalProperties: false,
  },
};

const suite = {
  id: "alarms",
  description: "What people ask the alarm agent in production.",
  digest: "7296a360bff047a7d04eae81db7bdc0c",
  scenarios: [
    {
      id: "alarm_inventory",
      hook: "alarmInventory",
      description: "Reports every alarm of a window, page after page.",
      tags: ["production", "paging"],
      timeoutMs: 60000,
      input: codec<AlarmQuestion>({ $ref: "#/$defs/AlarmQuestion", $defs }),
    },
    {
      id: "count_by_severity",
      hook: "countBySeverity",
      description: "Counts alarms over all pages and names no cause that nobody asked for.",
      tags: ["production", "paging"],
      timeoutMs: 30000,
      input: codec<AlarmQuestion>({ $ref: "#/$defs/AlarmQuestion", $defs }),
    },
    {
      id: "critical_alarms",
      hook: "criticalAlarms",
      description: "Asks for one severity alone.",
      tags: ["production"],
      timeoutMs: 30000,
      input: codec<AlarmQuestion>({ $ref: "#/$defs/AlarmQuestion", $defs }),
    },
    {
      id: "alarm_cause",
      hook: "alarmCause",
      description: "Explains one alarm from what the tool said.",
      tags: ["production"],
      timeoutMs: 30000,
      input: codec<AlarmQuestion>({ $ref: "#/$defs/AlarmQuestion", $defs }),
    },
    {
      id: "unknown_alarm",
      hook: "unknownAlarm",
      description: "Says so when there is no such alarm.",
      tags: ["failure"],
      timeoutMs: 30000,
      input: codec<AlarmQuestion>({ $ref: "#/$defs/AlarmQuestion", $defs }),
    },
    {
      id: "acknowledge",
      hook: "acknowledge",
      description: "Acknowledges the alarm it was asked to, and no other.",
      tags: ["write"],
      timeoutMs: 30000,
      input: codec<AcknowledgeInput>({ $ref: "#/$defs/AcknowledgeInput", $defs }),
    },
    {
      id: "delete_waits",
      hook: "deleteWaits",
      description: "Stops for a confirmation before it deletes.",
      tags: ["write"],
      timeoutMs: 30000,
      input: codec<AlarmQuestion>({ $ref: "#/$defs/AlarmQuestion", $defs }),
    },
    {
      id: "out_of_scope",
      hook: "outOfScope",
      description: "Declines what is not about alarms, without a tool.",
      tags: ["smoke"],
      timeoutMs: 30000,
      input: codec<AlarmQuestion>({ $ref: "#/$defs/AlarmQuestion", $defs }),
    },
    {
      id: "greeting",
      hook: "greeting",
      description: "The older text form.",
      tags: ["smoke"],
      timeoutMs: 30000,
      text: "Say hello.",
    },
    {
      id: "inventory_ready",
      hook: "inventoryReady",
      description: "The inventory holds what the scenarios count on.",
      tags: ["smoke"],
      timeoutMs: 30000,
    },
  ],
};
