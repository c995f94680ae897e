// Owns the shapes of the answer of the page of trends.

export interface TrendPoint {
  readonly id: string;
  readonly n: number;
  readonly at: string;
  readonly branch?: string | undefined;
  readonly note?: string | undefined;
  /** The model that judged. */
  readonly model?: string | undefined;
  readonly passed: number;
  readonly judged: number;
  /** Of passed of judged, at 95%; absent where nothing was judged. */
  readonly interval?: readonly [number, number] | undefined;
  readonly errored: number;
  /** Milliseconds a scenario: the median and the 95th percentile. */
  readonly median?: number | undefined;
  readonly p95?: number | undefined;
  /** US dollars a scenario. */
  readonly cost?: number | undefined;
}

export interface WallRow {
  readonly id: string;
  /** How often it went from passing to not passing or back. */
  readonly flips: number;
  readonly passed: number;
  readonly of: number;
  /** One letter a run; a full stop where the run does not have it. */
  readonly cells: string;
}

export interface TrendsAnswer {
  readonly suite: string;
  readonly suites: readonly string[];
  readonly branch?: string | undefined;
  readonly branches: readonly string[];
  readonly tags: readonly string[];
  /** On the branch, oldest first. */
  readonly points: readonly TrendPoint[];
  /** On other branches, later than the last of the branch. */
  readonly open: readonly TrendPoint[];
  /** The id of the accepted baseline. */
  readonly baseline?: string | undefined;
  readonly wall: readonly WallRow[];
  readonly moreWall: number;
  /** Scenarios that passed in each run. */
  readonly steady: number;
  readonly wallRuns: readonly { readonly id: string; readonly n: number; readonly at: string }[];
}
