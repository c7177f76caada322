import { type ErrorCode, excerpt, type JsonObject, ToolkitError } from '../../../kernel/index.ts';

/** An error as stored in a call record. For a call that was carried out it includes the details that its caller needs. */
export interface StoredError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: JsonObject;
}

/** Details stored for a call that was carried out. */
const storedDetails = ['carriedOut', 'status', 'issues', 'output', 'outputStart', 'retryable'] as const;

/** Maximum bytes of JSON. Beyond it `output`, `outputStart` and `issues` are left out. */
const maxDetailBytes = 16 * 1024;

/** Converts an error into its stored form. */
export function toStoredError({ code, message, details }: Pick<ToolkitError, 'code' | 'message' | 'details'>): StoredError {
  const kept = { code, message: excerpt(message, 2000) };
  if (details['carriedOut'] !== true) return kept;
  const named = Object.fromEntries(
    storedDetails.filter((name) => details[name] !== undefined).map((name) => [name, details[name]]),
  ) as JsonObject;
  if (Buffer.byteLength(JSON.stringify(named)) <= maxDetailBytes) return { ...kept, details: named };
  const { output: _output, outputStart: _start, issues: _issues, ...few } = named;
  return { ...kept, details: few };
}

/** Restores a stored error, for a call of this tool. */
export function restoreError({ code, message, details }: StoredError, tool: string): ToolkitError {
  return new ToolkitError(code, message, { ...details, tool });
}
