import { excerpt, messageOf } from '../../../kernel/index.ts';
import { type ErrorObject, errorCodes } from './message.ts';

const brand = Symbol.for('toolkit.rpc-error');

/** Error response to a request: of a request that is refused, or as the other side returned it. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Returns true for an RpcError, also of another copy of this module, where `instanceof` fails. A loader may create such copies. */
  static is(value: unknown): value is RpcError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true;
  }
}

/** Maximum number of issues in the error for one request. */
const maxIssues = 20;

/** Returns the error -32602 for parameters that do not match the schema of their method. */
export function malformedRequest(method: string, issues: readonly { readonly path: string; readonly message: string }[]): RpcError {
  const shown = issues
    .slice(0, maxIssues)
    .map(({ path, message }) => `${path === '' ? 'params' : `params.${path}`}: ${message}`)
    .join('; ');
  return new RpcError(errorCodes.invalidParams, `The request ${method} is wrong: ${excerpt(shown, 500)}`);
}

/** Returns the member `error` of the response to a failed request. */
export function errorObject(error: unknown): ErrorObject {
  if (!RpcError.is(error)) return { code: errorCodes.internal, message: messageOf(error) };
  const { code, message, data } = error;
  return { code, message, ...(data === undefined ? {} : { data }) };
}
