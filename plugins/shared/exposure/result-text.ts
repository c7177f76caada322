import type { JsonValue, ToolkitError } from '../../../kernel/index.ts';

/** Returns an output as a model reads it, where its tool shows nothing else: a text, or JSON without blanks, which would cost a quarter more tokens. */
export function outputText(output: JsonValue): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

/** Characters of an answer that a failure shows. */
const maxAnswer = 10_000;

/** A failure as a model reads it: the code, what happened and what to do next, and below that the answer, where there is one that was not expected so. */
export function failureText({ code, message, details, retryable }: ToolkitError): string {
  const { retryAfterMs } = details;
  const wait = retryAfterMs === undefined || !retryable ? '' : ` Wait ${Math.ceil(retryAfterMs / 1000)} s before calling again.`;
  return `${code}: ${message}${wait}${answerText(details)}`;
}

/** The details of an error for a client that has its text: without the answer, which the text has. */
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
