import { excerpt, isPlainObject, type Kernel, ToolkitError } from '../../../kernel/index.ts';
import { errorCodes } from '../../shared/json-rpc/message.ts';
import { RpcError } from '../../shared/json-rpc/rpc-error.ts';

/** Error codes of the protocol beside those of JSON-RPC (MCP 2026-07-28, Base Protocol, Error Codes). */
export const mcpErrorCodes = { headerMismatch: -32020, missingCapability: -32021, unsupportedVersion: -32022 } as const;

/**
 * Converts an error of a resource, prompt or completion to a JSON-RPC error, with secrets masked. An error that another server of MCP gave
 * (`details.rpcError`) stays as it is.
 */
export function toRpcError(kernel: Kernel, thrown: unknown): RpcError {
  if (RpcError.is(thrown)) return thrown;
  if (!ToolkitError.is(thrown)) return new RpcError(errorCodes.internal, 'The server failed.');
  const { rpcError } = thrown.details;
  if (isPlainObject(rpcError) && typeof rpcError['code'] === 'number') {
    const { code, message, data } = kernel.mask(rpcError);
    return new RpcError(code as number, String(message), data);
  }
  const code = thrown.code === 'INVALID_PARAMETERS' ? errorCodes.invalidParams : errorCodes.internal;
  const message = excerpt(kernel.mask(`${thrown.code}: ${thrown.message}`), 400);
  return new RpcError(code, message, { ...kernel.mask(thrown.toJSON()), message });
}

/** Returns the error -32021, which names the missing capabilities (MCP 2026-07-28, Base Protocol, Capabilities). */
export function missingCapability(message: string, requiredCapabilities: object): RpcError {
  return new RpcError(mcpErrorCodes.missingCapability, message, { requiredCapabilities });
}
