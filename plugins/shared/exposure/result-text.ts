import type { JsonValue, ToolkitError } from '../../../kernel/index.ts';

/**
 * Formats an output for a model when its tool supplies no content: text as it is, else JSON without blanks, which would cost a quarter
 * more tokens.
 */
export function outputText(output: JsonValue): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

/** Maximum characters of a service's answer in a failure. */
const maxAnswer = 10_000;

/** Formats a failure for a model: code, message and advice, then the unexpected answer when there is one. */
export function failureText({ code, message, details, retryable }: ToolkitError): string {
  const { retryAfterMs } = details;
  const wait = retryAfterMs === undefined || !retryable ? '' : ` Wait ${Math.ceil(retryAfterMs / 1000)} s before calling again.`;
  return `${code}: ${message}${wait}${answerText(details)}`;
}

/** Returns the details of an error for a client that already has its text: without the answer. */
export function failureFacts(error: ToolkitError): Record<string, unknown> {
  const { output: _output, outputStart: _start, ...facts } = error.toJSON();
  return facts;
}

function answerText({ output, outputStart }: ToolkitError['details']): string {
  if (output === undefined && typeof outputStart !== 'string') return '';
  const answer = typeof outputStart === 'string' ? outputStart : typeof output === 'string' ? output : JSON.stringify(output);
  const isCut = typeof outputStart === 'string' || answer.length > maxAnswer;
  return `\nIts answer${isCut ? ', the beginning' : ''}:\n${answer.slice(0, maxAnswer).toWellFormed()}${isCut ? '…' : ''}`;
}
