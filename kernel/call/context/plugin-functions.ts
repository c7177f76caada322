import type { ParameterReference } from '../../definition/check/parameter-references.ts';
import type { Call } from '../draft.ts';
import type { CallIdentity } from '../identity.ts';
import type { CallContext } from './context.ts';

/** Encodes parameter values into one value, such as a MIME message. `values` are the source values by parameter name. */
export type Encoding = (values: Readonly<Record<string, unknown>>, options: Readonly<Record<string, unknown>>) => unknown;

/**
 * Returns the identity of a call. Runs before the first question about the call, after the answers, and directly before the call runs;
 * never for a call without a question. It must change nothing. On throw: the call fails.
 */
export type Identify = (call: Call, context: CallContext) => CallIdentity | Promise<CallIdentity>;

/**
 * Reads the value of a parameter that a call names by path: a text, a JSON value, or an `AsyncIterable<string>` for a parameter that is `streamed`.
 * Throws what speaks against the path or what is there.
 */
export type ReadReference = (reference: ParameterReference, call: Call, context: CallContext) => Promise<unknown>;
