import { type ErrorCode, ToolkitError } from '../../kernel/index.ts';

/** Returns the error of an operation. Its message has one or two sentences: what failed where, expected and received, and what to do next. */
export function operationError(message: string, code: ErrorCode = 'EXECUTION_FAILED', cause?: unknown): ToolkitError {
  return new ToolkitError(code, message, {}, cause === undefined ? undefined : { cause });
}

/** Returns the code of a file system error, such as ENOENT. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'an error';
}
