// Owns the first form of the store: invocations, runs, what they plan, and what came of it.

export const RUNS = `
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES ('version', 0);

CREATE TABLE invocation (
  id TEXT PRIMARY KEY,
  started_at TEXT NOT NULL,
  branch TEXT,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  invocation TEXT NOT NULL,
  suite TEXT NOT NULL,
  started_at TEXT NOT NULL,
  touched_at TEXT NOT NULL,
  state TEXT NOT NULL,
  verdict TEXT,
  planned_scenarios INTEGER NOT NULL,
  planned_trials INTEGER NOT NULL,
  stored_trials INTEGER,
  totals TEXT,
  manifest TEXT NOT NULL,
  plan TEXT NOT NULL,
  head TEXT
) STRICT;
CREATE INDEX run_suite ON run (suite, ordinal);
CREATE INDEX run_invocation ON run (invocation);

CREATE TABLE scenario (
  run INTEGER NOT NULL,
  position INTEGER NOT NULL,
  id TEXT NOT NULL,
  tags TEXT,
  outcome TEXT,
  error_stage TEXT,
  passed INTEGER,
  duration_ms REAL,
  cost REAL,
  trials TEXT,
  stopped TEXT,
  flaky REAL,
  reason TEXT,
  claims_held INTEGER,
  claims INTEGER,
  turns_held INTEGER,
  turns INTEGER,
  tool_calls INTEGER,
  deciding INTEGER,
  body TEXT,
  rest TEXT,
  PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX scenario_id ON scenario (run, id);
CREATE INDEX scenario_outcome ON scenario (run, outcome);
CREATE INDEX scenario_cost ON scenario (run, cost) WHERE cost IS NOT NULL;
CREATE INDEX scenario_flaky ON scenario (run, flaky) WHERE flaky > 0;

CREATE TABLE trial (
  run INTEGER NOT NULL,
  position INTEGER NOT NULL,
  trial INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  started_at TEXT,
  duration_ms REAL NOT NULL,
  tool_calls INTEGER,
  body TEXT NOT NULL,
  rest TEXT,
  evidence TEXT,
  PRIMARY KEY (run, position, trial)
) STRICT;

CREATE VIEW judgment AS
  SELECT t.run, t.position, t.trial, j.value ->> 'claimId' AS claim, j.value ->> 'label' AS label, j.value ->> 'passed' AS passed, j.value ->> 'rationale' AS rationale
  FROM trial t, json_each(t.body, '$.judgments') j;

CREATE VIEW score AS
  SELECT t.run, t.position, t.trial, s.value ->> 'id' AS id, s.value ->> 'kind' AS kind, s.value ->> 'score' AS score, s.value ->> 'threshold' AS threshold, s.value ->> 'passed' AS passed, s.value ->> 'reason' AS reason
  FROM trial t, json_each(t.body, '$.scores') s;

CREATE TABLE blob (
  hash TEXT PRIMARY KEY,
  codec TEXT NOT NULL,
  size INTEGER NOT NULL,
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE blob_use (
  run INTEGER NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (run, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_use_hash ON blob_use (hash);

CREATE TABLE event (
  run INTEGER NOT NULL,
  n INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (run, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE label (
  id TEXT PRIMARY KEY,
  suite TEXT,
  fingerprint TEXT,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE measurement (
  n INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
`;
