import type { CallContext, ToolkitError } from '../../../kernel/index.ts';
import type { ErrorWhen } from '../definition/error-when.ts';
import { answerError } from './answer-error.ts';
import { statusError } from './failure.ts';
import { isJson, type ReadLimits, type ReadResponse, readBytes, readResponse } from './response.ts';
import { type SavePlace, saveAnswer } from './save-answer.ts';

/** The way in which an answer is read. */
interface Reading {
  readonly rule: ErrorWhen | undefined;
  /** The file that a good answer is saved to. */
  readonly place: SavePlace | undefined;
  readonly limits: ReadLimits;
}

/** Returns what an answer holds, or where it was saved, and the error that it means. Throws what reading and saving throws. */
export async function readAnswer(
  response: Response,
  { rule, place, limits }: Reading,
  context: CallContext,
): Promise<{ readonly read: ReadResponse; readonly error?: ToolkitError | undefined }> {
  const { ok, status, headers } = response;
  const counted = { ...limits, isCounted: context.origin === 'model' };
  if (!ok || place === undefined) {
    const read = await readResponse(response, counted);
    return { read, error: ok ? answerError(context, rule, headers, read) : statusError(context, rule, headers, read) };
  }
  if (!isJudged(rule, headers)) return { read: await saveAnswer(response, place, context) };
  // Only what it says tells whether it is to be saved.
  const bytes = await readBytes(response, limits);
  const copy = (): Response => new Response(bytes.length === 0 ? null : bytes, { status, headers });
  const read = await readResponse(copy(), counted);
  const error = answerError(context, rule, headers, read);
  return error === undefined ? { read: await saveAnswer(copy(), place, context) } : { read, error };
}

/** True where an answer with success may be an error all the same, by what it says. */
export function isJudged(rule: ErrorWhen | undefined, headers: Headers): boolean {
  return rule !== undefined && isJson(headers.get('content-type') ?? '');
}
