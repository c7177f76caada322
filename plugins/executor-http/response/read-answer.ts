import type { CallContext, ToolkitError } from '../../../kernel/index.ts';
import type { ErrorWhen } from '../definition/error-when.ts';
import { answerError } from './answer-error.ts';
import { statusError } from './failure.ts';
import { isJson, type ReadLimits, type ReadResponse, readBytes, readResponse } from './response.ts';
import { type SaveTarget, saveAnswer } from './save-answer.ts';

/** The way in which an answer is read. */
interface ReadOptions {
  readonly rule: ErrorWhen | undefined;
  /** The file that a successful answer is saved to. */
  readonly saveTarget: SaveTarget | undefined;
  readonly limits: ReadLimits;
}

/** Reads an answer, or saves it, and returns the error that it means. Throws the errors of reading and saving. */
export async function readAnswer(
  response: Response,
  { rule, saveTarget, limits }: ReadOptions,
  context: CallContext,
): Promise<{ readonly read: ReadResponse; readonly error?: ToolkitError | undefined }> {
  const { ok, status, headers } = response;
  const readLimits = { ...limits, refusesCostlyJson: context.origin === 'model' };
  if (!ok || saveTarget === undefined) {
    const read = await readResponse(response, readLimits);
    return { read, error: ok ? answerError(context, rule, headers, read) : statusError(context, rule, headers, read) };
  }
  if (!dependsOnContent(rule, headers)) return { read: await saveAnswer(response, saveTarget, context) };
  // Only its content says whether it is to be saved.
  const bytes = await readBytes(response, limits);
  const copy = (): Response => new Response(bytes.length === 0 ? null : bytes, { status, headers });
  const read = await readResponse(copy(), readLimits);
  const error = answerError(context, rule, headers, read);
  return error === undefined ? { read: await saveAnswer(copy(), saveTarget, context) } : { read, error };
}

/** True when an answer with a success status may be an error by its content. */
export function dependsOnContent(rule: ErrorWhen | undefined, headers: Headers): boolean {
  return rule !== undefined && isJson(headers.get('content-type') ?? '');
}
