// Owns what an answer says where an address leads to nothing.

import { EntailError } from "../../core/error.ts";

/** The error for an address without a target; the server turns it into 404, the page into a state that links to the nearest parent. */
export const missing = (sentence: string): EntailError => new EntailError("viewer_address_unknown", sentence);

export const isMissing = (thrown: unknown): thrown is EntailError => thrown instanceof EntailError && thrown.code === "viewer_address_unknown";
