import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { excerpt, type Kernel, ToolkitError } from '../../../kernel/index.ts';
import { ProtocolError } from './protocol-error.ts';

/** A failure to read, as the error of the protocol; whatever text it carries is masked. */
export function readError(kernel: Kernel, thrown: unknown): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown;
  if (!ToolkitError.is(thrown)) return new ProtocolError(ErrorCode.InternalError, 'The server failed.');
  const code = thrown.code === 'INVALID_PARAMETERS' ? ErrorCode.InvalidParams : ErrorCode.InternalError;
  const message = excerpt(kernel.mask(`${thrown.code}: ${thrown.message}`), 400);
  return new ProtocolError(code, message, { ...kernel.mask(thrown.toJSON()), message });
}
