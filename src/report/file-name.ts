// Owns the name of a file that is made from an id: legal on every system, distinct, no longer than any of them takes, and never a path.

/** What is a file's name as it stands, on systems that tell no case apart as well. */
const PLAIN = /^[a-z0-9_]{1,100}$/;
/** Names of devices on Windows, whatever follows their first dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;
const MAX_KEPT = 60;

/**
 * A name of at most 84 characters (ASCII), to which an extension can be added. A `lower_snake` id is its own name; any other keeps what can be read of it and ends
 * in a dash and 16 digits that tell it from every other. The id itself belongs into the file.
 */
export function fileNameOf(id: string): string {
  if (PLAIN.test(id) && !DEVICE.test(id)) return id;
  const kept = id
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toLowerCase()
    .slice(0, MAX_KEPT);
  return `${kept === "" ? "id" : kept}-${digitsOf(id)}`;
}

/** FNV-1a with 64 bits over UTF-16 code units: distinct in practice, and the same everywhere. */
function digitsOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at++) hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}
