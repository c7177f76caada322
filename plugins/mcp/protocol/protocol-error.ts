import { excerpt, type Kernel, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { errorCodes } from '../../shared/json-rpc/message.ts';

const brand = Symbol.for('toolkit.protocol-error');

/** JSON-RPC error response to a request. Replaces the SDK's class, which repeats the code in the message. */
export class ProtocolError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Returns true for a ProtocolError, also of another copy of this module, where `instanceof` fails. A loader may create such copies. */
  static is(value: unknown): value is ProtocolError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true;
  }
}

/** Maximum number of issues in the error for one request. */
const maxIssues = 20;

/** Returns the error -32602 for a request that does not match the schema of its method. */
export function malformedRequest(
  method: string,
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): ProtocolError {
  const shown = issues
    .slice(0, maxIssues)
    .map(({ path, message }) => `${path.map(String).join('.')}: ${message}`)
    .join('; ');
  return new ProtocolError(errorCodes.invalidParams, `The request ${method} is wrong: ${excerpt(shown, 500)}`);
}

/** Converts an error of a resource, prompt or completion to a JSON-RPC error, with secrets masked. */
export function toProtocolError(kernel: Kernel, thrown: unknown): ProtocolError {
  if (ProtocolError.is(thrown)) return thrown;
  if (!ToolkitError.is(thrown)) return new ProtocolError(errorCodes.internal, 'The server failed.');
  const code = thrown.code === 'INVALID_PARAMETERS' ? errorCodes.invalidParams : errorCodes.internal;
  const message = excerpt(kernel.mask(`${thrown.code}: ${thrown.message}`), 400);
  return new ProtocolError(code, message, { ...kernel.mask(thrown.toJSON()), message });
}

/** Returns the member `error` of the response to a failed request. */
export function errorMember(error: unknown): { code: number; message: string; data?: unknown } {
  if (!ProtocolError.is(error)) return { code: errorCodes.internal, message: messageOf(error) };
  const { code, message, data } = error;
  return { code, message, ...(data === undefined ? {} : { data }) };
}

/** Returns the error -32021, which names the missing capabilities (MCP 2026-07-28, Base Protocol, Capabilities). */
export function missingCapability(message: string, requiredCapabilities: object): ProtocolError {
  return new ProtocolError(errorCodes.missingCapability, message, { requiredCapabilities });
}
