// Owns what a watching process asks of a run that it starts.

/** The environment variable that makes a run a watched one, and holds its order as JSON. It is gone before any code of the user's runs. */
export const WATCH_VARIABLE = "ENTAIL_WATCHED";

/** What of the command's own selection is to run; all of it where a member is absent. */
export interface WatchOrder {
  readonly files?: readonly string[] | undefined;
  readonly scenarios?: readonly string[] | undefined;
}
