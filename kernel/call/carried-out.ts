import type { Tool } from '../definition/tool.ts';
import { type ErrorDetails, sentence, ToolkitError } from '../errors.ts';
import type { ExecutionResult } from '../hooks.ts';

const start = 'It was carried out';

/**
 * Returns the error of a call that has had its effect all the same, so that its caller does not repeat it: with `carriedOut: true`, not retryable, and a
 * message that says so. `ran`: what the executor gave. Without that, OUTPUT_INVALID, which is about an answer, is taken for such an error unless it says
 * `carriedOut: false`, and others where they say `carriedOut: true`. The error of a tool that only reads, or that was called inside of this one, gets
 * none of this.
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
  // What an answer lacks is told after that it came; any other failure says first what it is. An earlier call with the same name has said so already.
  const isSaid = details['carriedOut'] === true && message.includes(start);
  const hasAnswer = details['output'] !== undefined || details['outputStart'] !== undefined;
  const text = isSaid ? message : hasAnswer ? `${words} ${message}` : `${sentence(message)} ${words}`;
  return changed(error, text, { ...known, carriedOut: true, retryable: false });
}

/** True of the error of a call that was carried out itself, and not only a call inside of it. */
export function isCarriedOut({ details }: ToolkitError, tool: string): boolean {
  return details['carriedOut'] === true && details.tool === tool;
}

function changed(error: ToolkitError, message: string, more: ErrorDetails): ToolkitError {
  const details = Object.entries({ ...error.details, ...more }).filter(([, value]) => value !== undefined);
  const copy = new ToolkitError(error.code, message, Object.fromEntries(details), { cause: error.cause });
  if (error.stack !== undefined) copy.stack = error.stack;
  return copy;
}
