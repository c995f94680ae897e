// Owns how one value of a report stands on the wire, both ways at once: what writes a member is what reads it.

import { EntailError } from "../core/error.ts";
import { itemPath, memberPath } from "../core/json-path.ts";

export interface WriteOptions {
  /** Only the members that Goa-AI knows. */
  readonly goaOnly: boolean;
  readonly mask: (text: string) => string;
}

/** A value's form on the wire. `read` throws `report_unreadable` and names the place. */
export interface Form<Value> {
  readonly write: (value: Value, options: WriteOptions) => unknown;
  readonly read: (wire: unknown, path: string) => Value;
}

export type WireObject = Readonly<Record<string, unknown>>;

/** Always throws. `must be a text` goes after the place. */
export function unreadable(path: string, sentence: string): never {
  throw new EntailError("report_unreadable", `the report cannot be read: ${path === "" ? "it" : path} ${sentence}`);
}

export function objectAt(wire: unknown, path: string): WireObject {
  if (typeof wire === "object" && wire !== null && !Array.isArray(wire)) return wire as WireObject;
  return unreadable(path, "must be an object");
}

/** A text that a person, a model or a program wrote: it is masked. */
export const text: Form<string> = {
  write: (value, { mask }) => mask(value),
  read: (wire, path) => (typeof wire === "string" ? wire : unreadable(path, "must be a text")),
};

/** A text that says nothing of its own, such as an id of ours. */
export const plainText: Form<string> = { write: (value) => value, read: text.read };

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** Kept as it was read, to the last digit. */
export const time: Form<string> = {
  write: (value) => value,
  read: (wire, path) => (typeof wire === "string" && RFC_3339.test(wire) ? wire : unreadable(path, "must be a time as RFC 3339 writes it")),
};

export const flag: Form<boolean> = {
  write: (value) => value,
  read: (wire, path) => (typeof wire === "boolean" ? wire : unreadable(path, "must be true or false")),
};

export const number: Form<number> = {
  write: (value) => value,
  read: (wire, path) => (typeof wire === "number" && Number.isFinite(wire) ? wire : unreadable(path, "must be a number")),
};

export const count: Form<number> = {
  write: (value) => value,
  read: (wire, path) => (Number.isInteger(wire) && (wire as number) >= 0 ? (wire as number) : unreadable(path, "must be a whole number from 0")),
};

/** Milliseconds here, whole nanoseconds on the wire. */
export const duration: Form<number> = {
  write: (value) => Math.round(value * 1e6),
  read: (wire, path) => (Number.isInteger(wire) && (wire as number) >= 0 ? (wire as number) / 1e6 : unreadable(path, "must be a whole number of nanoseconds, 0 or more")),
};

/** One of a closed set. */
export function word<Word extends string>(words: readonly Word[]): Form<Word> {
  return {
    write: (value) => value,
    read: (wire, path) => ((words as readonly unknown[]).includes(wire) ? (wire as Word) : unreadable(path, `must be one of ${words.join(", ")}`)),
  };
}

export function list<Item>(item: Form<Item>): Form<readonly Item[]> {
  return {
    write: (value, options) => value.map((each) => item.write(each, options)),
    read: (wire, path) => (Array.isArray(wire) ? wire.map((each: unknown, at) => item.read(each, itemPath(path, at))) : unreadable(path, "must be a list")),
  };
}

/** Any JSON, whose own names are kept as they are; its texts are masked. */
export const json: Form<unknown> = {
  write: (value, { mask }) => maskedJson(value, mask),
  read: (wire) => wire,
};

/** A copy of plain JSON with its texts and names masked: before JSON escapes them, which would hide a secret from the mask. */
export function maskedJson(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskedJson(item, mask));
  if (typeof value !== "object" || value === null) return value;
  const masked: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    // Two names that a mask makes one are still two members.
    let shown = mask(name);
    while (Object.hasOwn(masked, shown)) shown += "_";
    // An assignment to `__proto__` would change the object instead.
    Object.defineProperty(masked, shown, { value: maskedJson(member, mask), enumerable: true, configurable: true, writable: true });
  }
  return masked;
}

/** A member of a record: one on the wire, or several that belong together. */
export interface Field<Value> {
  readonly goa: boolean;
  write(value: Value | undefined, into: Record<string, unknown>, options: WriteOptions): void;
  read(wire: WireObject, path: string): Value | undefined;
}
export interface RequiredField<Value> extends Field<Value> {
  readonly required: true;
}
export interface OptionalField<Value> extends Field<Value> {
  readonly required: false;
}

/** A member that is always there. */
export function required<Value>(name: string, form: Form<Value>): RequiredField<Value> {
  return {
    required: true,
    goa: false,
    write: (value, into, options) => {
      if (value !== undefined) into[name] = form.write(value, options);
    },
    read: (wire, path) => (Object.hasOwn(wire, name) ? form.read(wire[name], memberPath(path, name)) : unreadable(memberPath(path, name), "is missing")),
  };
}

/** A member that is left out where it is absent, an empty text or an empty list; `null` is read as absent. */
export function optional<Value>(name: string, form: Form<Value>): OptionalField<Value> {
  return {
    required: false,
    goa: false,
    write: (value, into, options) => {
      if (value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) return;
      const written = form.write(value, options);
      if (typeof written !== "number" || Number.isFinite(written)) into[name] = written;
    },
    read: (wire, path) => {
      const given = Object.hasOwn(wire, name) ? wire[name] : undefined;
      if (given === undefined || given === null || given === "" || (Array.isArray(given) && given.length === 0)) return undefined;
      return form.read(given, memberPath(path, name));
    },
  };
}

/** A member of any JSON: empty values and `null` are values like any other. */
export function optionalJson(name: string): OptionalField<unknown> {
  return {
    required: false,
    goa: false,
    write: (value, into, options) => {
      if (value !== undefined) into[name] = json.write(value, options);
    },
    read: (wire) => (Object.hasOwn(wire, name) ? wire[name] : undefined),
  };
}

/** The same field, which Goa-AI knows too. */
export function goa<Kind extends { readonly goa: boolean }>(field: Kind): Kind {
  return { ...field, goa: true };
}

export type FieldsOf<Value> = {
  readonly [Name in keyof Value]-?: undefined extends Value[Name] ? OptionalField<Exclude<Value[Name], undefined>> : RequiredField<Value[Name]>;
};

/** An object by its fields, in the order in which they are written. */
export function record<Value extends object>(fields: FieldsOf<Value>): Form<Value> {
  const entries = Object.entries<Field<unknown>>(fields as Readonly<Record<string, Field<unknown>>>);
  return {
    write(value, options) {
      const into: Record<string, unknown> = {};
      for (const [name, field] of entries) if (field.goa || !options.goaOnly) field.write((value as Record<string, unknown>)[name], into, options);
      return into;
    },
    read(wire, path) {
      const object = objectAt(wire, path);
      const members: Record<string, unknown> = {};
      for (const [name, field] of entries) {
        const value = field.read(object, path);
        if (value !== undefined) members[name] = value;
      }
      return members as Value;
    },
  };
}
