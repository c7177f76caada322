import type { JsonValue, ToolkitError } from '../../../kernel/index.ts';

/** An output as a model reads it, where its tool shows nothing else. */
export function outputText(output: JsonValue): string {
  return typeof output === 'string' ? output : JSON.stringify(output, null, 2);
}

/** A failure as a model reads it: the code, what happened and what to do next. */
export function failureText({ code, message, details: { retryAfterMs }, retryable }: ToolkitError): string {
  const wait = retryAfterMs === undefined || !retryable ? '' : ` Wait ${Math.ceil(retryAfterMs / 1000)} s before calling again.`;
  return `${code}: ${message}${wait}`;
}
