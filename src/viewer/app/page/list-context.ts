// Owns the list that a scenario was opened from, so that its neighbours are those of that list.

interface ListContext {
  readonly query: string;
  /** `failed`; empty for all. */
  readonly name: string;
}

const lists = new Map<string, ListContext>();

export function rememberList(run: string, context: ListContext): void {
  lists.set(run, context);
}

export const listOf = (run: string): ListContext | undefined => lists.get(run);
