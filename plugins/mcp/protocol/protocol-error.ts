import { excerpt, type Kernel, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { errorCodes } from './messages.ts';

const brand = Symbol.for('toolkit.protocol-error');

/** The answer to a request as a JSON-RPC error. The class of the SDK is not used because it writes the code into the message as well. */
export class ProtocolError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Works across copies of this module, which a loader makes of what is imported later; `instanceof` does not. */
  static is(value: unknown): value is ProtocolError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true;
  }
}

/** Findings that are told of a request. */
const maxTold = 20;

/** -32602, for a request that does not fit the schema of its method. */
export function malformedRequest(
  method: string,
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): ProtocolError {
  const shown = issues
    .slice(0, maxTold)
    .map(({ path, message }) => `${path.map(String).join('.')}: ${message}`)
    .join('; ');
  return new ProtocolError(errorCodes.invalidParams, `The request ${method} is wrong: ${excerpt(shown, 500)}`);
}

/** What was thrown while a resource, prompt or completion was read, as a JSON-RPC error with secrets masked. */
export function toProtocolError(kernel: Kernel, thrown: unknown): ProtocolError {
  if (ProtocolError.is(thrown)) return thrown;
  if (!ToolkitError.is(thrown)) return new ProtocolError(errorCodes.internal, 'The server failed.');
  const code = thrown.code === 'INVALID_PARAMETERS' ? errorCodes.invalidParams : errorCodes.internal;
  const message = excerpt(kernel.mask(`${thrown.code}: ${thrown.message}`), 400);
  return new ProtocolError(code, message, { ...kernel.mask(thrown.toJSON()), message });
}

/** The member `error` of the answer to a request that has thrown. */
export function errorMember(error: unknown): { code: number; message: string; data?: unknown } {
  if (!ProtocolError.is(error)) return { code: errorCodes.internal, message: messageOf(error) };
  const { code, message, data } = error;
  return { code, message, ...(data === undefined ? {} : { data }) };
}

/** -32021: what the client would have to declare (MCP 2026-07-28, Base Protocol, Capabilities). */
export function missingCapability(message: string, requiredCapabilities: object): ProtocolError {
  return new ProtocolError(errorCodes.missingCapability, message, { requiredCapabilities });
}
