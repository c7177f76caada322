/** Thrown where a text cannot be parsed as a value. The message gives the reason. */
export class ParseError extends Error {}
