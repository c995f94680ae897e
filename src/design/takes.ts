// Owns what the hook of a scenario takes, as the compiler infers it from the scenario's input.

import type { AnySchema } from "../core/schema.ts";

export interface TakesNothing {
  readonly takes: "nothing";
}

/** The older text form: the literal stands in the design, and the hook receives it. */
export interface TakesText {
  readonly takes: "text";
}

export interface Takes<Value> {
  readonly takes: "value";
  readonly value: Value;
}

/** Where a default makes what the application gives and what the hook receives differ. */
export interface TakesParsed<Given, Received> {
  readonly takes: "value";
  readonly value: Given;
  readonly received: Received;
}

export type AnyTakes = TakesNothing | TakesText | Takes<any> | TakesParsed<any, any>;

/** What an application gives where `S` is asked for. */
export type GivenOf<S extends AnySchema> = TypesOf<S> extends { readonly input: infer Given } ? Given : unknown;

/** What arrives once `S` has filled its defaults in. */
export type ReceivedOf<S extends AnySchema> = TypesOf<S> extends { readonly output: infer Received } ? Received : unknown;

type TypesOf<S extends AnySchema> = S["~standard"] extends { readonly types?: infer Types } ? NonNullable<Types> : never;

/** From a scenario's `input` (`unknown` where there is none) to what its hook takes. */
export type Declared<Input> = unknown extends Input
  ? TakesNothing
  : [Input] extends [undefined]
    ? TakesNothing
    : Input extends string
      ? TakesText
      : Input extends AnySchema
        ? Same<GivenOf<Input>, ReceivedOf<Input>> extends true
          ? Takes<GivenOf<Input>>
          : TakesParsed<GivenOf<Input>, ReceivedOf<Input>>
        : TakesNothing;

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
