import { type ErrorCode, excerpt, type JsonObject, ToolkitError } from '../../../kernel/index.ts';

/** An error as records have it: of a call that was carried out with what its caller needs to know of that. */
export interface KeptError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: JsonObject;
}

/** Details that are remembered of a call that was carried out. */
const keptDetails = ['carriedOut', 'status', 'issues', 'output', 'outputStart', 'retryable'] as const;

/** Bytes of JSON; of a larger answer nothing is kept. */
const maxDetailBytes = 16 * 1024;

/** Returns an error as it is kept. */
export function keptError({ code, message, details }: Pick<ToolkitError, 'code' | 'message' | 'details'>): KeptError {
  const kept = { code, message: excerpt(message, 2000) };
  if (details['carriedOut'] !== true) return kept;
  const named = Object.fromEntries(
    keptDetails.filter((name) => details[name] !== undefined).map((name) => [name, details[name]]),
  ) as JsonObject;
  if (Buffer.byteLength(JSON.stringify(named)) <= maxDetailBytes) return { ...kept, details: named };
  const { output: _output, outputStart: _start, issues: _issues, ...few } = named;
  return { ...kept, details: few };
}

/** Returns the error that was kept of a call of this tool. */
export function errorAgain({ code, message, details }: KeptError, tool: string): ToolkitError {
  return new ToolkitError(code, message, { ...details, tool });
}
