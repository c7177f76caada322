import { excerpt, messageOf, ToolkitError } from '../../../kernel/index.ts';

/** Error codes of OpenSSL for bytes that are not TLS. */
const noTls = /WRONG_VERSION_NUMBER|PACKET_LENGTH|HTTP_REQUEST|UNEXPECTED_MESSAGE|BAD_RECORD_TYPE|RECORD_LAYER_FAILURE/;

/** Returns the error for a failed handshake. */
export function handshakeError(error: unknown, shown: string): ToolkitError {
  const { code = '', reason } = error as { readonly code?: string; readonly reason?: string };
  if (noTls.test(code)) {
    const message = `${shown} does not speak TLS: it answered something else. Choose a port that speaks TLS from the first byte.`;
    return new ToolkitError('EXECUTION_FAILED', message, { errno: code }, { cause: error });
  }
  const what = code === 'ECONNRESET' ? 'it closed the connection' : excerpt(reason ?? messageOf(error));
  const advice = 'It may want another host name, a client certificate, or no TLS at this port';
  return new ToolkitError(
    'UPSTREAM_UNAVAILABLE',
    `${shown} ended the TLS handshake: ${what}. ${advice}.`,
    { errno: code },
    { cause: error },
  );
}
