// Owns LangGraph's command to resume, made by shape: the graph knows one by its name and by not being a plain object.

export interface ResumeCommand {
  readonly lg_name: "Command";
  readonly resume: unknown;
  readonly goto: readonly string[];
  toJSON(): unknown;
}

const PROTOTYPE = {
  toJSON(this: ResumeCommand): unknown {
    return { lg_name: this.lg_name, resume: this.resume, goto: this.goto };
  },
};

export function commandOf(resume: unknown): ResumeCommand {
  return Object.assign(Object.create(PROTOTYPE) as ResumeCommand, { lg_name: "Command" as const, resume, goto: [], update: undefined, graph: undefined });
}
