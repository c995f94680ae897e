// Owns what a secret is and its masking: values of telling variables of the environment, and texts of well-known shapes.

const TELLING = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIAL)S?$|(?:^|_)(?:PASS|PASSWD|PWD)$/i;
/** `PWD` alone is the working folder. */
const NOT_TELLING = /^(?:OLD)?PWD$/i;
/** Shorter values would mask ordinary words. */
const LEAST = 8;
export const MASK: string = "‹masked›";

const NAMES = String.raw`(?:x-|proxy-)?(?:api|access|secret|private|auth|session|subscription)[-_]?(?:key|token|secret)|client[-_]?secret|refresh[-_]?token|id[-_]?token|password|passwd|passphrase`;
const VALUE = String.raw`(?=[^\s"'\\&,;<>{}()[\]]{0,100}\d)[^\s"'\\&,;<>{}()[\]‹]{8,}`;

/**
 * Keys of model providers, clouds, chats and code hosts, tokens, private keys, credentials of a header, what stands under a telling name, and the user part, the
 * query and the fragment's tokens of addresses. Bounded, so that no text takes long.
 */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,20000}-----END [A-Z ]{0,30}PRIVATE KEY-----/g, MASK],
  [/\bsk[-_](?:live_|test_)?[A-Za-z0-9_-]{16,}/g, MASK],
  [/\b[pr]k_(?:live|test)_[A-Za-z0-9]{10,}/g, MASK],
  [/\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{20,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{30,}|xox[abeprs]-[A-Za-z0-9-]{10,}|AIza[A-Za-z0-9_-]{35}|(?:AKIA|ASIA)[A-Z0-9]{16})(?![A-Za-z0-9])/g, MASK],
  [/\beyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,2000}/g, MASK],
  [/\b(Bearer\s{1,8})[A-Za-z0-9._~+/=-]{8,}/g, `$1${MASK}`],
  [/\b(authorization\\{0,4}["']?\s{0,4}[:=]\s{0,4}\\{0,4}["']?(?:bearer|basic|token)\s{1,8})[A-Za-z0-9._~+/=-]{8,}/gi, `$1${MASK}`],
  [new RegExp(String.raw`(?<![A-Za-z0-9])((?:${NAMES})(?:\\{0,4}["']\s{0,4}[:=]\s{0,4}\\{0,4}["']|\s{0,4}[:=]\s{0,4}))${VALUE}`, "gi"), `$1${MASK}`],
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s/@:"'<>]{1,200}(?::(?!\d{1,5}[/?#])[^\s@"'<>]{0,200}(?:@[^\s@"'<>/]{0,200}(?:\/[^\s@"'<>/]{0,200}){0,2}){0,2})?|:[^\s@"'<>]{1,200})@(?=[^\s@]|$)/gi, `$1${MASK}@`],
  [/\b((?:https?|wss?|postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|libsql):\/\/[^\s?#"'<>]{1,2000}\?)[^\s#"'<>)]+/gi, `$1${MASK}`],
  [/(#(?:[^\s"'<>)#]{0,500}&)?(?:access_token|id_token|token|key|code)=)[^\s&"'<>)]{8,}/gi, `$1${MASK}`],
];

/** Masks texts. */
export interface Mask {
  (text: string): string;
  /** Masks the values of variables alone, which differ from one machine to the next. */
  readonly values: (text: string) => string;
  /** What it would mask by its shape alone. */
  readonly shapesIn: (text: string) => readonly string[];
}

/** Masks the values that `env` has now, of names that tell and of `names`, longest first, as they are and as JSON and addresses write them; and the shapes. */
export function createMask(env: Readonly<Record<string, string | undefined>>, names: readonly string[] = []): Mask {
  const values = Object.entries(env)
    .filter(([name]) => (TELLING.test(name) && !NOT_TELLING.test(name)) || names.includes(name))
    .flatMap(([, value = ""]) => [value, value.trim(), ...(/\s/.test(value.trim()) ? [] : value.trim().split(/[,;]/))])
    .filter((value) => value.length >= LEAST)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encoded(value)])
    .sort((a, b) => b.length - a.length);
  const known = values.length === 0 ? undefined : new RegExp([...new Set(values)].map((value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"), "g");
  const maskValues = (text: string): string => (known === undefined ? text : text.replace(known, MASK));
  const mask = (text: string): string => {
    let masked = maskValues(text);
    for (const [shape, replacement] of SHAPES) masked = masked.replace(shape, replacement);
    return masked;
  };
  const shapesIn = (text: string): readonly string[] => {
    const found: string[] = [];
    let masked = maskValues(text);
    for (const [shape, replacement] of SHAPES) {
      found.push(...(masked.match(shape) ?? []));
      masked = masked.replace(shape, replacement);
    }
    return found;
  };
  return Object.assign(mask, { values: maskValues, shapesIn });
}

/** As an address writes it; as it is where it has half a character. */
function encoded(value: string): string {
  return value.isWellFormed() ? encodeURIComponent(value) : value;
}
