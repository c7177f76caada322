import { type ErrorCode, ToolkitError } from '../../kernel/index.ts';

/** The error of an operation: what, where, expected, received, and what to do next, in one or two sentences. */
export function failed(message: string, code: ErrorCode = 'EXECUTION_FAILED', cause?: unknown): ToolkitError {
  return new ToolkitError(code, message, {}, cause === undefined ? undefined : { cause });
}

/** The code of an error of the file system, such as ENOENT. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'an error';
}
