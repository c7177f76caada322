import { type ErrorCode, isPlainObject, messageOf, ToolkitError, errorCodes as toolkitCodes } from '../../../kernel/index.ts';
import { type ErrorObject, errorCodes } from '../../shared/json-rpc/message.ts';
import { errorObject, RpcError } from '../../shared/json-rpc/rpc-error.ts';

/** Error code of a request that failed. */
const failed = -32000;

/** Returns the JSON-RPC error object for a thrown value. */
export function hostErrorObject(thrown: unknown): ErrorObject {
  if (RpcError.is(thrown)) return errorObject(thrown);
  const error = ToolkitError.is(thrown)
    ? thrown
    : new ToolkitError('EXECUTION_FAILED', `The request failed inside the host: ${messageOf(thrown)}`);
  return { code: failed, message: error.message, data: error.toJSON() };
}

/** Returns the error for invalid parameters of a method. */
export function invalidParameters(method: string, problem: string): RpcError {
  const error = new ToolkitError('INVALID_PARAMETERS', `The parameters of ${method} are wrong: ${problem}.`);
  return new RpcError(errorCodes.invalidParams, error.message, error.toJSON());
}

/**
 * Converts an error of the other side. Keeps its code where it is one of the toolkit's codes.
 * `failure`: text before the message of any other error.
 */
export function toolkitError(error: RpcError, failure: string): ToolkitError {
  const { code, message: _message, ...details } = isPlainObject(error.data) ? error.data : {};
  if (typeof code === 'string' && Object.hasOwn(toolkitCodes, code)) return new ToolkitError(code as ErrorCode, error.message, details);
  return new ToolkitError('EXECUTION_FAILED', `${failure}: ${error.message}`);
}
