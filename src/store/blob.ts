// Owns blobs: large texts by their hash, compressed, each kept once however many trials share it.

import { hash } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { DatabaseSync } from "node:sqlite";

/** Of what is shorter, compression saves less than it costs. */
const COMPRESSED_FROM = 512;

interface Packed {
  readonly codec: "raw" | "zstd";
  readonly size: number;
  readonly bytes: Uint8Array;
}

export interface Blob {
  readonly hash: string;
  readonly text: string;
  /** Absent where the store had it already. */
  readonly packed: Packed | undefined;
}

export interface Blobs {
  /** Before a transaction: hashing and compressing hold nobody up. */
  readonly make: (text: string) => Blob;
  /** Within a transaction. */
  readonly keep: (run: number, blob: Blob) => void;
  /** Throws where it is not there. */
  readonly read: (hash: string) => string;
}

export function openBlobs(database: DatabaseSync): Blobs {
  const has = database.prepare("SELECT 1 FROM blob WHERE hash = ?");
  const insert = database.prepare("INSERT OR IGNORE INTO blob (hash, codec, size, bytes) VALUES (?, ?, ?, ?)");
  const use = database.prepare("INSERT OR IGNORE INTO blob_use (run, hash) VALUES (?, ?)");
  const select = database.prepare("SELECT codec, bytes FROM blob WHERE hash = ?");

  return {
    make(text) {
      const digest = hash("sha256", text, "hex");
      return { hash: digest, text, packed: has.get(digest) === undefined ? pack(text) : undefined };
    },
    keep(run, blob) {
      // What was there may have been removed with its run in between.
      const packed = blob.packed ?? (has.get(blob.hash) === undefined ? pack(blob.text) : undefined);
      if (packed !== undefined) insert.run(blob.hash, packed.codec, packed.size, packed.bytes);
      use.run(run, blob.hash);
    },
    read(digest) {
      const row = select.get(digest);
      const bytes = row?.["bytes"];
      if (!(bytes instanceof Uint8Array)) throw new Error(`a part of the store is missing (${digest.slice(0, 12)})`);
      return Buffer.from(row?.["codec"] === "zstd" ? zstdDecompressSync(bytes) : bytes).toString("utf8");
    },
  };
}

function pack(text: string): Packed {
  const plain = Buffer.from(text);
  if (plain.length < COMPRESSED_FROM) return { codec: "raw", size: plain.length, bytes: plain };
  return { codec: "zstd", size: plain.length, bytes: zstdCompressSync(plain, { pledgedSrcSize: plain.length }) };
}
