import { isServerError } from './server-error.ts';

/** True when an error of the server, pg or Node means that the connection is lost. */
export function isConnectionLoss(error: unknown): boolean {
  if (isServerError(error)) return /^(57P|08(?!P01))/.test(error.code);
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  return (
    /^(E[A-Z]+|ERR_STREAM_\w+|ERR_SSL_\w+)$/.test(code) || /^(Connection terminated|Client (was closed|has encountered))/.test(message)
  );
}
