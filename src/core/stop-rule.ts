// Owns the stopping rule: the only two ways in which the trials of a scenario may end before all of them have run.

/** Wald's test of `p0` against `p1`: both pass rates, `p0` below `p1`. */
export interface SprtRule {
  readonly rule: "sprt";
  /** The pass rate that is not good enough. */
  readonly p0: number;
  /** The pass rate that is. */
  readonly p1: number;
  /** The chance to accept `p1` where `p0` holds; 0.05 when absent. */
  readonly alpha?: number | undefined;
  /** The chance to accept `p0` where `p1` holds; 0.1 when absent. */
  readonly beta?: number | undefined;
}

/** Stops once the e-value against a pass rate of `p0`, on either side, is at least `1/alpha`. */
export interface EValueRule {
  readonly rule: "e_value";
  readonly p0: number;
  /** The chance ever to stop where `p0` holds; 0.05 when absent. */
  readonly alpha?: number | undefined;
}

/** Asked after each scored trial of a scenario, whose trials then run one after the other. */
export type StopRule = SprtRule | EValueRule;
