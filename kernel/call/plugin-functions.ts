import type { ParameterReference } from '../definition/check/parameter-references.ts';
import type { Call, CallContext } from '../hooks.ts';

/**
 * Reads the value of a parameter that a call names by path: a text, a JSON value, or an `AsyncIterable<string>` for a parameter that is `streamed`.
 * Throws what speaks against the path or what is there.
 */
export type ReadReference = (reference: ParameterReference, call: Call, context: CallContext) => Promise<unknown>;
