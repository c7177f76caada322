import { after, type CallContext, isLarge, type JsonValue, type MaybePromise } from '../../kernel/index.ts';
import { jsonStart } from './json-start.ts';

/** Maximum length of a large answer in an error, in characters. */
const maxStart = 20_000;

/** An answer in the details of an error: its value, or the beginning of its JSON, with secrets masked before it is cut. */
export type AnswerDetails = { readonly output: JsonValue } | { readonly outputStart: string };

/** Returns the answer for the details of an error. Returns a promise for a large one. */
export function answerDetails(output: JsonValue, context: CallContext): MaybePromise<AnswerDetails> {
  if (!isLarge(output)) return { output };
  return after(context.maskInSlices(output), (masked) => ({ outputStart: jsonStart(masked, maxStart) }));
}
