// Owns the putting together of calls that arrive in pieces. Who a piece belongs to is told by its id where it has one: a provider may give
// every call of a message the same index, or none.

import type { CallPiece } from "./message.ts";

export interface AssembledCall {
  rawId: string;
  toolName: string;
  text: string;
}

export interface Assembly {
  /** Takes a piece and gives the call that it belongs to. */
  add(piece: CallPiece): AssembledCall;
  /** In the order in which the model began them. */
  readonly calls: readonly AssembledCall[];
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function assembly(): Assembly {
  const calls: AssembledCall[] = [];
  const byIndex = new Map<CallPiece["index"], AssembledCall>();

  const begin = ({ rawId, toolName, index }: CallPiece): AssembledCall => {
    const call = { rawId, toolName, text: "" };
    calls.push(call);
    byIndex.set(index, call);
    return call;
  };

  const of = (piece: CallPiece): AssembledCall => {
    const sameIndex = byIndex.get(piece.index) ?? (piece.index === undefined ? calls.at(-1) : undefined);
    if (piece.rawId !== "") {
      const sameId = calls.find(({ rawId }) => rawId === piece.rawId);
      if (sameId !== undefined) return sameId;
      // An id that comes late belongs to the call that still has none.
      return sameIndex?.rawId === "" && (sameIndex.toolName === "" || piece.toolName === "") ? sameIndex : begin(piece);
    }
    if (sameIndex === undefined) return begin(piece);
    // Without ids, another name, or a name beside arguments that are whole already, begins another call.
    const named = piece.toolName !== "" && sameIndex.toolName !== "";
    if (named && (piece.toolName !== sameIndex.toolName || isWhole(sameIndex.text))) return begin(piece);
    return sameIndex;
  };

  return {
    add(piece) {
      const call = of(piece);
      if (call.rawId === "") call.rawId = piece.rawId;
      if (call.toolName === "") call.toolName = piece.toolName;
      call.text += piece.text;
      return call;
    },
    calls,
  };
}
