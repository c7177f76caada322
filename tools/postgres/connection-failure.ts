import { Failure } from './failure.ts';
import { isServerError, serverFailure } from './server-error.ts';
import type { Settings } from './settings.ts';

/** Explanations of Node's error codes for the operator. Node's own messages hold addresses, so they are not shown. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOENT: 'there is no such socket',
  EACCES: 'the socket may not be used',
  ENOTFOUND: 'the name of the host does not exist',
  EAI_AGAIN: 'the name of the host could not be looked up',
  ETIMEDOUT: 'it did not answer in time',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the network',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
};

/** Converts an error while connecting to the failure that the caller gets. */
export function connectFailure(error: unknown, settings: Settings): Failure {
  if (isServerError(error)) return loginFailure(serverFailure(error));
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  const server = settings.shownAs;
  if (message.includes('does not support SSL'))
    return unavailable(
      `PostgreSQL at ${server} does not offer TLS. Set POSTGRES_SSLMODE=disable if the network to it can be trusted.`,
      false,
    );
  if (isCertificateError(code))
    return unavailable(
      `The certificate of PostgreSQL at ${server} is not accepted (${code}). Name its authority with sslrootcert in POSTGRES_URL or with NODE_EXTRA_CA_CERTS, or choose another POSTGRES_SSLMODE.`,
      false,
    );
  if (/^SASL|password/i.test(message))
    return new Failure(
      'AUTH_FAILED',
      `PostgreSQL at ${server} wants a password that was not given, or cannot prove that it knows it. Check POSTGRES_PASSWORD.`,
    );
  if (message === 'timeout exceeded when trying to connect')
    return unavailable(`All connections to PostgreSQL at ${server} are in use. Wait for other calls to end, then try again.`, true);
  const reason = /timeout/.test(message) ? reasons['ETIMEDOUT'] : (reasons[code] ?? (code || 'it closed the connection'));
  return unavailable(`PostgreSQL at ${server} cannot be reached: ${reason}. Check its address, and whether it runs.`, true);
}

/** Builds the failure for a connection that was lost while the statement ran. */
export function lostFailure(settings: Settings): Failure {
  return unavailable(`The connection to PostgreSQL at ${settings.shownAs} was lost while the statement ran. Nothing was changed.`, true);
}

function loginFailure(failure: Failure): Failure {
  if (failure.code !== 'AUTH_FAILED') return failure;
  return new Failure(
    'AUTH_FAILED',
    `${failure.message} Check POSTGRES_USER, POSTGRES_PASSWORD and POSTGRES_SSLMODE, or POSTGRES_URL.`,
    failure.details,
  );
}

function isCertificateError(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_|^ERR_TLS_|^ERR_SSL_/.test(code);
}

function unavailable(message: string, retryable: boolean): Failure {
  return new Failure('UPSTREAM_UNAVAILABLE', message, { retryable });
}
