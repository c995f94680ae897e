// Written by `entail gen`. Edit the design, not this file.
import { codec, type TypedTool } from "entail/generated";

export type AcknowledgeAlarmArgs = {
  id: string;
  note?: string | undefined;
};

export type AcknowledgeAlarmResult = {
  id: string;
  acknowledged: boolean;
};

export type DeleteAlarmArgs = {
  id: string;
};

export type GetAlarmArgs = {
  id: string;
};

export type GetAlarmResult = {
  id: string;
  severity: "critical" | "warning" | "info";
  source: string;
  cause: string;
  acknowledged: boolean;
};

export type ListAlarmsArgs = {
  window: string;
  severity?: "critical" | "warning" | "info" | undefined;
  cursor?: string | undefined;
};

export type ListAlarmsResult = {
  alarms: { id: string; severity: "critical" | "warning" | "info"; source: string }[];
  total: number;
  next_cursor?: string | undefined;
};

const $defs = {
  AcknowledgeAlarmArgs: {
    type: "object",
    properties: { id: { type: "string" }, note: { type: "string" } },
    required: ["id"],
  },
  AcknowledgeAlarmResult: {
    type: "object",
    properties: { id: { type: "string" }, acknowledged: { type: "boolean" } },
    required: ["id", "acknowledged"],
  },
  DeleteAlarmArgs: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  GetAlarmArgs: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  GetAlarmResult: {
    type: "object",
    properties: {
      id: { type: "string" },
      severity: { type: "string", enum: ["critical", "warning", "info"] },
      source: { type: "string" },
      cause: { type: "string" },
      acknowledged: { type: "boolean" },
    },
    required: ["id", "severity", "source", "cause", "acknowledged"],
  },
  ListAlarmsArgs: {
    type: "object",
    properties: {
      window: { type: "string" },
      severity: { type: "string", enum: ["critical", "warning", "info"] },
      cursor: { type: "string" },
    },
    required: ["window"],
  },
  ListAlarmsResult: {
    type: "object",
    properties: {
      alarms: {
        type: "array",
        items: {
          type: "object",
          properties: {
            id: { type: "string" },
            severity: { type: "string", enum: ["critical", "warning", "info"] },
            source: { type: "string" },
          },
          required: ["id", "severity", "source"],
        },
      },
      total: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
      next_cursor: { type: "string" },
    },
    required: ["alarms", "total"],
  },
};

/** Marks an alarm as seen. */
export const acknowledgeAlarmTool: TypedTool<AcknowledgeAlarmArgs, AcknowledgeAlarmResult, "acknowledge_alarm"> = {
  name: "acknowledge_alarm",
  args: codec<AcknowledgeAlarmArgs>({ $ref: "#/$defs/AcknowledgeAlarmArgs", $defs }),
  result: codec<AcknowledgeAlarmResult>({ $ref: "#/$defs/AcknowledgeAlarmResult", $defs }),
};

/** Deletes an alarm for good. */
export const deleteAlarmTool: TypedTool<DeleteAlarmArgs, unknown, "delete_alarm"> = {
  name: "delete_alarm",
  args: codec<DeleteAlarmArgs>({ $ref: "#/$defs/DeleteAlarmArgs", $defs }),
  result: codec<unknown>({}),
  confirm: true,
};

/** Gives one alarm with its cause. */
export const getAlarmTool: TypedTool<GetAlarmArgs, GetAlarmResult, "get_alarm"> = {
  name: "get_alarm",
  args: codec<GetAlarmArgs>({ $ref: "#/$defs/GetAlarmArgs", $defs }),
  result: codec<GetAlarmResult>({ $ref: "#/$defs/GetAlarmResult", $defs }),
};

/** Lists the alarms of a window, ten at a time. */
export const listAlarmsTool: TypedTool<ListAlarmsArgs, ListAlarmsResult, "list_alarms"> = {
  name: "list_alarms",
  args: codec<ListAlarmsArgs>({ $ref: "#/$defs/ListAlarmsArgs", $defs }),
  result: codec<ListAlarmsResult>({ $ref: "#/$defs/ListAlarmsResult", $defs }),
  bounded: true,
};
