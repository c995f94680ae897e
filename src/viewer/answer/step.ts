// Owns a text as one step of an address.

/** Half a surrogate pair, which no address can hold, becomes the sign for what cannot be shown. */
export const stepOf = (text: string): string => encodeURIComponent(text.toWellFormed());
