import { after, type CallContext, isLarge, type JsonValue, type Maybe } from '../../kernel/index.ts';
import { jsonStart } from './json-start.ts';

/** Characters of a large answer that an error has. */
const maxStart = 20_000;

/** An answer as an error gives it: the value, or how the JSON of a large one begins, with secrets masked before it is cut. */
export type AnswerDetails = { readonly output: JsonValue } | { readonly outputStart: string };

/** Returns the answer for the details of an error. A promise where it is large. */
export function answerDetails(output: JsonValue, context: CallContext): Maybe<AnswerDetails> {
  if (!isLarge(output)) return { output };
  return after(context.maskInSlices(output), (masked) => ({ outputStart: jsonStart(masked, maxStart) }));
}
