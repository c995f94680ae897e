// Owns the order of cause: each call right before the calls that its own agent made, whatever else ran meanwhile.

/** What the order is made of. */
export interface CausalCall {
  readonly id: string;
  readonly parent: string | undefined;
}

export interface CausalOrder<Call> {
  /** A parent stands right before its whole subtree; siblings and roots keep the order in which they were issued. */
  readonly ordered: readonly Call[];
  /** Calls that no root leads to: their parent was never seen, or is among its own descendants. In the order in which they were issued. */
  readonly orphans: readonly Call[];
}

/** Orders calls that are given as they were issued, never as they finished. A parent for which `remembered` holds counts as a root's. */
export function causalOrder<Call extends CausalCall>(calls: readonly Call[], remembered: (id: string) => boolean): CausalOrder<Call> {
  const children = new Map<string, Call[]>();
  const roots: Call[] = [];
  for (const call of calls) {
    if (call.parent === undefined || remembered(call.parent)) {
      roots.push(call);
      continue;
    }
    const siblings = children.get(call.parent);
    if (siblings === undefined) children.set(call.parent, [call]);
    else siblings.push(call);
  }
  if (children.size === 0) return { ordered: roots, orphans: [] };
  const ordered: Call[] = [];
  // A stack of our own: agents within agents may go deeper than the engine's.
  const stack = roots.toReversed();
  for (let call = stack.pop(); call !== undefined; call = stack.pop()) {
    ordered.push(call);
    const below = children.get(call.id) ?? [];
    for (let at = below.length - 1; at >= 0; at--) stack.push(below[at] as Call);
  }
  if (ordered.length === calls.length) return { ordered, orphans: [] };
  const reached = new Set(ordered);
  return { ordered, orphans: calls.filter((call) => !reached.has(call)) };
}
