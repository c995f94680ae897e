// Owns the pairing of expected calls with observed ones in any order: as many pairs as possible, each call in one pair at most.

/** A largest pairing, grown call by call. It is found by augmenting paths (Kuhn 1955), so no search is repeated and none runs away. */
export interface Pairing {
  /** Offers one more call. True where there is one more pair than before; pairs made earlier may be made anew. */
  offer(call: number): boolean;
  /** The call that each expectation is paired with. */
  readonly paired: readonly (number | undefined)[];
  readonly size: number;
}

/** `satisfied` must give the same answer each time that it is asked about one pair. */
export function createPairing(expectations: number, satisfied: (expectation: number, call: number) => boolean): Pairing {
  const paired: (number | undefined)[] = Array.from({ length: expectations }, () => undefined);
  let size = 0;

  const augment = (call: number, tried: Set<number>): boolean => {
    for (let expectation = 0; expectation < expectations; expectation++) {
      if (tried.has(expectation) || !satisfied(expectation, call)) continue;
      tried.add(expectation);
      const holder = paired[expectation];
      if (holder === undefined || augment(holder, tried)) {
        paired[expectation] = call;
        return true;
      }
    }
    return false;
  };

  return {
    offer(call) {
      if (size === expectations || !augment(call, new Set())) return false;
      size++;
      return true;
    },
    paired,
    get size() {
      return size;
    },
  };
}
