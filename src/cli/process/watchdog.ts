// Owns the watch over the event loop. Code that never gives it back (`while (true) {}`) lets no timer fire and no interrupt be heard: a
// second thread notices, says where, gives Ctrl-C its plain meaning back, and once every running deadline is past has the run ended.

export interface Watchdog {
  /** Begins to watch. `recovered` is called when a blocked loop turns again: the listeners for interrupts are gone then. */
  arm(recovered: () => void): void;
  /** Called with the place of the code, in the midst of it, once it can never be waited for: nothing asynchronous will ever happen again. */
  onHopeless(end: (place: string) => void): void;
  /** When the last running scenario is past its deadline, in milliseconds since the epoch; 0 while none runs. */
  until(ms: number): void;
  disarm(): void;
}

/** The loop is taken for blocked when it has not turned for so long, */
const BLOCKED_MS = 2_000;
/** and a person is told after so long: some hooks do compute for a while. */
const TELL_MS = 5_000;
/** and it is given up after so long, if every deadline is past: what only computes too long comes back and costs its own scenario alone. */
const HOPELESS_MS = 10_000;
const BEAT_MS = 200;
/** What the thread has the main one emit. An error thrown into the blocking code instead would unwind Node's own frames, which aborts. */
const HOPELESS = "entail.hopeless";

/**
 * Starts the thread, which holds no reference to the process and ends with it; early, since it takes a while to begin. Nothing where a
 * debugger is attached, which stops the loop on purpose.
 */
export function startWatchdog(): Watchdog {
  const inspected = process.execArgv.some((option) => option.startsWith("--inspect")) || (process.env["NODE_OPTIONS"] ?? "").includes("--inspect");
  if (inspected) return { arm: () => {}, onHopeless: () => {}, until: () => {}, disarm: () => {} };
  // Both count milliseconds since the epoch: when the loop last turned, 0 while nobody watches, and when the last running deadline is past.
  const times = new Float64Array(new SharedArrayBuffer(16));
  // Not imported: a module of Node's own takes longer to find its way through an import.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(WATCH, { eval: true, workerData: { times, blockedMs: BLOCKED_MS, tellMs: TELL_MS, hopelessMs: HOPELESS_MS, event: HOPELESS }, execArgv: [], env: {} });
  worker.unref();
  worker.on("error", () => {});
  let beat: NodeJS.Timeout | undefined;
  return {
    arm(recovered) {
      times[0] = Date.now();
      beat = setInterval(() => {
        const late = Date.now() - (times[0] ?? 0) > BLOCKED_MS;
        times[0] = Date.now();
        if (late) recovered();
      }, BEAT_MS).unref();
    },
    onHopeless: (end) => void process.once(HOPELESS, end),
    until: (ms) => void (times[1] = ms),
    disarm() {
      clearInterval(beat);
      times[0] = 0;
    },
  };
}

/** Plain script of its own: a thread that has to load modules would be late. It counts its own turns, so that a machine that slept is no blocked loop. */
const WATCH = `
const { workerData: { times, blockedMs, tellMs, hopelessMs, event } } = require("node:worker_threads");
const { writeSync } = require("node:fs");
const turnMs = 250;
const freeInterrupts = "for (const name of ['SIGINT', 'SIGTERM']) globalThis.process.removeAllListeners(name)";
let session, place, last, blocked = 0, told = false, busy = false;
const say = (text) => { try { writeSync(2, text); } catch {} };
const post = (method, parameters) => new Promise((resolve, reject) => session.post(method, parameters, (error, result) => error ? reject(error) : resolve(result)));
async function within(expressionOf) {
  const addresses = new Map();
  session.on("Debugger.scriptParsed", ({ params }) => addresses.set(params.scriptId, params.url));
  const paused = new Promise((resolve) => session.once("Debugger.paused", ({ params }) => resolve(params.callFrames)));
  await post("Debugger.enable");
  await post("Debugger.pause");
  const frames = await paused;
  const addressOf = (frame) => addresses.get(frame.location.scriptId) ?? "";
  const frame = frames.find((each) => addressOf(each) !== "" && !addressOf(each).startsWith("node:")) ?? frames[0];
  place = addressOf(frame).replace("file://", "") + ":" + (frame.location.lineNumber + 1);
  await post("Debugger.evaluateOnCallFrame", { callFrameId: frames[0].callFrameId, expression: expressionOf(place) });
  await post("Debugger.resume");
  await post("Debugger.disable");
}
async function turn() {
  if (times[0] === 0 || times[0] !== last) {
    if (session) session.disconnect();
    [last, blocked, session, told] = [times[0], 0, undefined, false];
    return;
  }
  blocked += turnMs;
  if (blocked < blockedMs) return;
  if (!session) {
    const inspector = require("node:inspector");
    session = new inspector.Session();
    session.connectToMainThread();
    return await within(() => freeInterrupts);
  }
  if (!told && blocked >= tellMs) {
    told = true;
    say("\\n  warning  code at " + place + " has not given the event loop back for " + Math.round(blocked / 1000) + "s, so nothing else can run; Ctrl-C ends the process at once\\n");
  }
  if (blocked >= hopelessMs && times[1] !== 0 && Date.now() > times[1] + 1000) await within((at) => "globalThis.process.emit(" + JSON.stringify(event) + ", " + JSON.stringify(at) + ")");
}
setInterval(() => {
  if (busy) return;
  busy = true;
  turn().catch(() => {}).finally(() => { busy = false; });
}, turnMs);
`;
