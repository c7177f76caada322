import { type ErrorDetails, errorCodes, ToolkitError } from '../../kernel/index.ts';

/**
 * Makes the error that a handler asks for. A code that is not in the table becomes EXECUTION_FAILED, with that code as
 * `handlerCode` in `details`.
 */
export function handlerError(code: string, message: string, details?: ErrorDetails): ToolkitError {
  if (Object.hasOwn(errorCodes, code)) return new ToolkitError(code as keyof typeof errorCodes, message, details);
  return new ToolkitError('EXECUTION_FAILED', message, { ...details, handlerCode: String(code) });
}
