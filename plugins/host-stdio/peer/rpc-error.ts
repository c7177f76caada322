import { type ErrorCode, isPlainObject, messageOf, ToolkitError, errorCodes as toolkitCodes } from '../../../kernel/index.ts';
import { type ErrorObject, errorCodes } from './message.ts';

/** Error of an invalid request, or the error object that the other side returned. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: ErrorObject) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Returns the JSON-RPC error object for a thrown value. */
export function errorObject(thrown: unknown): ErrorObject {
  if (thrown instanceof RpcError)
    return { code: thrown.code, message: thrown.message, ...(thrown.data === undefined ? {} : { data: thrown.data }) };
  const error = ToolkitError.is(thrown)
    ? thrown
    : new ToolkitError('EXECUTION_FAILED', `The request failed inside the host: ${messageOf(thrown)}`);
  return { code: errorCodes.failed, message: error.message, data: error.toJSON() };
}

/** Returns the error for invalid parameters of a method. */
export function invalidParameters(method: string, problem: string): RpcError {
  const error = new ToolkitError('INVALID_PARAMETERS', `The parameters of ${method} are wrong: ${problem}.`);
  return new RpcError({ code: errorCodes.invalidParams, message: error.message, data: error.toJSON() });
}

/**
 * Converts an error of the other side. Keeps its code where it is one of the toolkit's codes.
 * `failed`: text before the message of any other error.
 */
export function toolkitError(error: RpcError, failed: string): ToolkitError {
  const { code, message: _message, ...details } = isPlainObject(error.data) ? error.data : {};
  if (typeof code === 'string' && Object.hasOwn(toolkitCodes, code)) return new ToolkitError(code as ErrorCode, error.message, details);
  return new ToolkitError('EXECUTION_FAILED', `${failed}: ${error.message}`);
}
