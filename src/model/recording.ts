// Owns the face of recordings: one file for the models, the tools and the judge of a suite, kept in the repository and replayed by later runs.

import { systemClock, type Clock } from "../core/clock.ts";
import { EntailError } from "../core/error.ts";
import type { Provider } from "../core/model.ts";
import { didYouMean } from "../core/nearest.ts";
import { RECORDING_MODES, type Recorder, type RecordingMode } from "./recorded-call.ts";
import { recordedLanguageModel, type RecordableModel } from "./recorded-language-model.ts";
import { recordedProvider, type RecordedProviderOptions } from "./recorded-provider.ts";
import { recordedTool, type RecordedToolOptions } from "./recorded-tool.ts";
import { openBook } from "./recording-book.ts";

export interface RecordingOptions {
  /** A path from the working folder, or an address such as `new URL("chat.recording.json", import.meta.url)`. */
  readonly file: string | URL;
  /** When absent, that of `--record` (`record`) or `--replay` (`strict`), else `auto`. */
  readonly mode?: RecordingMode | undefined;
  /** Masks secrets in what is written; by the environment, the configuration's `secrets` and well-known shapes when absent. */
  readonly mask?: ((text: string) => string) | undefined;
  /** Measures how long answers took; the system's when absent. */
  readonly clock?: Clock | undefined;
}

export interface Recording {
  /** A provider with its responses recorded. */
  provider(provider: Provider, options?: RecordedProviderOptions): Provider;
  /** An AI SDK model with its answers recorded, streamed or whole; Mastra takes it too. */
  model<Model extends RecordableModel>(model: Model): Model;
  /** A tool's function with its results recorded, by `name` and its own arguments. */
  tool<Args extends readonly unknown[], Value>(name: string, tool: (...args: Args) => Value, options?: RecordedToolOptions<Args>): (...args: Args) => Promise<Awaited<Value>>;
  /** Writes what has not been written yet; it is written by itself soon, and when the process ends. */
  flush(): void;
}

const OPTIONS = ["file", "mode", "mask", "clock"] as const satisfies readonly (keyof RecordingOptions)[];

/**
 * Opens a recording; the file is looked at with the first call. A call is known by what is asked and by its scope: suite, scenario,
 * trial, purpose, and how many equal calls came before it. Answers are kept, refusals and errors are not. Throws `option_invalid`.
 */
export function recording(options: RecordingOptions): Recording {
  if (typeof options !== "object" || options === null) throw new EntailError("option_invalid", "recording() needs { file }");
  for (const name of Object.keys(options)) {
    if (!(OPTIONS as readonly string[]).includes(name)) throw new EntailError("option_invalid", `recording() has no option ${JSON.stringify(name)}${didYouMean(name, OPTIONS)}`);
  }
  const { file, mode, mask, clock = systemClock } = options;
  if (!(file instanceof URL) && (typeof file !== "string" || file === "")) throw new EntailError("option_invalid", "recording() needs a file: a path, or an address with file:");
  if (mode !== undefined && !RECORDING_MODES.includes(mode)) throw new EntailError("option_invalid", `recording(): mode must be one of ${RECORDING_MODES.join(", ")}`);
  const recorder: Recorder = { book: openBook(file), mode, mask, clock };
  return {
    provider: (provider, providerOptions) => recordedProvider(recorder, provider, providerOptions),
    model: (model) => recordedLanguageModel(recorder, model),
    tool: (name, tool, toolOptions) => recordedTool(recorder, name, tool, toolOptions),
    flush: () => recorder.book.flush(),
  };
}

/** `recording(options).provider(provider)`. */
export function recorded(provider: Provider, options: RecordingOptions): Provider {
  return recording(options).provider(provider);
}
