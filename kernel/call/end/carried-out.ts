import type { Tool } from '../../definition/schema/tool.ts';
import { type ErrorDetails, sentence, ToolkitError } from '../../errors.ts';
import type { ExecutionResult } from '../output.ts';

const start = 'It was carried out';

/**
 * Marks the error of a call that had its effect, so that its caller does not repeat it: `carriedOut: true`, not retryable, and a message that says so.
 * `ran`: the executor's result. Without a result, OUTPUT_INVALID counts as such an error unless it has `carriedOut: false`; other errors count
 * only with `carriedOut: true`. Errors of a read-only tool, or of a nested call, are returned
 * without the mark.
 */
export function withCarriedOut(error: ToolkitError, tool: Tool | undefined, ran: ExecutionResult | undefined): ToolkitError {
  const { code, message, details } = error;
  const isOfInner = details.tool !== undefined && details.tool !== tool?.name;
  const isDone = ran !== undefined || (details['carriedOut'] ?? code === 'OUTPUT_INVALID') === true;
  if (tool === undefined || isOfInner || !isDone) return error;
  if (tool.annotations.readOnlyHint === true)
    return details['carriedOut'] === undefined ? error : changed(error, message, { carriedOut: undefined });
  const status = details.status ?? ran?.meta?.['status'];
  const known = typeof status === 'number' ? { status } : {};
  const words = `${start}${typeof status === 'number' ? ` (status ${status})` : ''}; do not call it again.`;
  // A message about a missing part of an answer comes after the mark, any other message before it. An earlier call with the same name may have set the mark.
  const isSaid = details['carriedOut'] === true && message.includes(start);
  const hasAnswer = details['output'] !== undefined || details['outputStart'] !== undefined;
  const text = isSaid ? message : hasAnswer ? `${words} ${message}` : `${sentence(message)} ${words}`;
  return changed(error, text, { ...known, carriedOut: true, retryable: false });
}

/** Returns true for the error of a call that was carried out itself, not only a nested call. */
export function isCarriedOut({ details }: ToolkitError, tool: string): boolean {
  return details['carriedOut'] === true && details.tool === tool;
}

function changed(error: ToolkitError, message: string, more: ErrorDetails): ToolkitError {
  const details = Object.entries({ ...error.details, ...more }).filter(([, value]) => value !== undefined);
  const copy = new ToolkitError(error.code, message, Object.fromEntries(details), { cause: error.cause });
  if (error.stack !== undefined) copy.stack = error.stack;
  return copy;
}
