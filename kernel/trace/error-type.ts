import { ToolkitError } from '../errors.ts';

/** Returns the `error.type` of a span: the code of an error, or the name of its class. Code of a tool may throw anything, under any name. */
export function errorTypeOf(error: unknown): string {
  if (ToolkitError.is(error)) return error.code;
  return error instanceof Error && /^[A-Za-z]{1,50}$/.test(error.name) ? error.name : '_OTHER';
}
