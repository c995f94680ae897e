// Owns the scope: for whom a model is called, so that recordings and limits can tell calls apart.

export interface Scope {
  readonly suite: string;
  readonly scenario: string;
  /** Counts from 1. */
  readonly trial: number;
  /** `subject`, `judge` (`judge.2` for the second of a panel), `calibration`, `measurement`, `simulated_user`, or a scorer's id. */
  readonly purpose: string;
  /** Counts equal requests within one scope, from 0. */
  readonly ordinal: number;
}
