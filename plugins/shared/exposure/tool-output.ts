import { isPlainObject, type JsonSchema, type JsonValue, type Tool, type ToolkitError } from '../../../kernel/index.ts';

/** Handling of a result that does not match `output_schema`, as in the definition key `output_check`. */
export type OutputCheck = 'error' | 'warn' | 'off';

/**
 * Returns how the results of a tool are checked: as its definition says, else `error`, and `warn` for a tool of a source, whose schema was written
 * by others.
 */
export function outputCheckOf({ definition, origin }: Pick<Tool, 'definition' | 'origin'>): OutputCheck {
  const { output_check: written } = definition as { readonly output_check?: OutputCheck };
  return written ?? (origin.source === undefined ? 'error' : 'warn');
}

/** Returns the schema that every result of a tool satisfies. Undefined when results that do not fit are let through (`output_check: warn`, `off`). */
export function keptSchema(tool: Pick<Tool, 'outputSchema' | 'definition' | 'origin'>): JsonSchema | undefined {
  return outputCheckOf(tool) === 'error' ? tool.outputSchema : undefined;
}

/** Returns the output as structured content, which MCP allows for objects only (Tools, Output Schema). Undefined otherwise. */
export function structuredOutput(
  tool: Pick<Tool, 'outputSchema' | 'definition' | 'origin'> | undefined,
  output: unknown,
): Record<string, unknown> | undefined {
  if (tool === undefined || keptSchema(tool)?.['type'] !== 'object') return undefined;
  return isPlainObject(output) ? output : undefined;
}

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
export function failureText(error: ToolkitError): string {
  const { code, message, details, retryable } = error;
  const { retryAfterMs } = details;
  const wait = retryAfterMs === undefined || !retryable ? '' : ` Wait ${Math.ceil(retryAfterMs / 1000)} s before calling again.`;
  return `${code}: ${message}${wait}${loginText(error)}${answerText(details)}`;
}

/** Returns the details of an error for a client that already has its text: without the answer. */
export function failureFacts(error: ToolkitError): Record<string, unknown> {
  const { output: _output, outputStart: _start, ...facts } = error.toJSON();
  return facts;
}

/** Returns the way to connect an account, as far as the message does not have it. For the person: a model opens no page. */
function loginText({ code, message, details: { url, command } }: ToolkitError): string {
  if (code !== 'AUTH_REQUIRED') return '';
  const isNew = (way: string | undefined): way is string => typeof way === 'string' && way !== '' && !message.includes(way);
  const page = isNew(url) ? ` Ask the person you work for to open ${url} in a browser and log in there, then call again.` : '';
  const program = isNew(command) ? ` ${page === '' ? 'The person can' : 'Where the server runs, the person can also'} run: ${command}` : '';
  return `${page}${program}`;
}

function answerText({ output, outputStart }: ToolkitError['details']): string {
  if (output === undefined && typeof outputStart !== 'string') return '';
  const answer = typeof outputStart === 'string' ? outputStart : typeof output === 'string' ? output : JSON.stringify(output);
  const isCut = typeof outputStart === 'string' || answer.length > maxAnswer;
  return `\nIts answer${isCut ? ', the beginning' : ''}:\n${answer.slice(0, maxAnswer).toWellFormed()}${isCut ? '…' : ''}`;
}
