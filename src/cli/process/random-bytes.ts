// Owns random bytes from the system's own source, read as a file where there is one: loading the runtime's cryptography takes 4 ms of a run of 70.

import { closeSync, openSync, readSync } from "node:fs";

export function randomBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  try {
    const source = openSync("/dev/urandom", "r");
    try {
      if (readSync(source, bytes, 0, count, null) === count) return bytes;
    } finally {
      closeSync(source);
    }
  } catch {
    // No such file, on Windows for one.
  }
  return crypto.getRandomValues(bytes);
}
