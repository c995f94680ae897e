// Owns SHA-256 (FIPS 180-4) at once and everywhere: a browser's own answers later, and Node's is not in a browser.

const ROUNDS = 64;

function primes(count: number): readonly number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++) if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  return found;
}

/** The first 32 bits of the fractional part. */
const fraction = (value: number): number => Math.floor((value - Math.floor(value)) * 2 ** 32) | 0;
const ROUND_WORDS = primes(ROUNDS).map((prime) => fraction(Math.cbrt(prime)));
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));

const turned = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** The digest of the UTF-8 of `text`, in 64 hex digits. Half a surrogate pair counts as U+FFFD. */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new DataView(new ArrayBuffer((((bytes.length + 8) >> 6) + 1) << 6));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setBigUint64(padded.byteLength - 8, BigInt(bytes.length) * 8n);
  const state = Int32Array.from(START);
  const words = new Int32Array(ROUNDS);
  for (let block = 0; block < padded.byteLength; block += 64) compress(state, words, padded, block);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function compress(state: Int32Array, words: Int32Array, data: DataView, at: number): void {
  for (let i = 0; i < 16; i++) words[i] = data.getInt32(at + i * 4);
  for (let i = 16; i < ROUNDS; i++) {
    const [x, y] = [words[i - 15] as number, words[i - 2] as number];
    const small = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const large = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    words[i] = (words[i - 16] as number) + small + (words[i - 7] as number) + large;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < ROUNDS; i++) {
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + (ROUND_WORDS[i] as number) + (words[i] as number)) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] as number) + word;
}
