// Owns what a secret is and its masking: values of telling variables of the environment, and texts of well-known shapes.

const TELLING = /(?:KEY|TOKEN|SECRET|PASSWORD)$/i;
/** Shorter values would mask ordinary words. */
const LEAST = 8;
export const MASK: string = "‹masked›";

/** Keys of model providers and code hosts, bearer tokens, and the user part and the query of addresses. Bounded, so that no text takes long. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\bsk-[A-Za-z0-9_-]{16,}/g, MASK],
  [/\bgh[pousr]_[A-Za-z0-9]{20,}/g, MASK],
  [/\b(Bearer\s{1,8})[A-Za-z0-9._~+/=-]{8,}/g, `$1${MASK}`],
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@:]{1,200}(?::[^\s/@]{0,200})?@/gi, `$1${MASK}@`],
  [/\b(https?:\/\/[^\s?#"'<>]{1,2000}\?)[^\s#"'<>)]+/gi, `$1${MASK}`],
];

/** Masks the values that `env` has now, of names that tell and of `names`, longest first, and the shapes. */
export function createMask(env: Readonly<Record<string, string | undefined>>, names: readonly string[] = []): (text: string) => string {
  const values = Object.entries(env)
    .filter(([name, value]) => (TELLING.test(name) || names.includes(name)) && (value ?? "").length >= LEAST)
    .map(([, value]) => value ?? "")
    .sort((a, b) => b.length - a.length);
  const known = values.length === 0 ? undefined : new RegExp([...new Set(values)].map((value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"), "g");
  return (text) => {
    let masked = known === undefined ? text : text.replace(known, MASK);
    for (const [shape, replacement] of SHAPES) masked = masked.replace(shape, replacement);
    return masked;
  };
}
