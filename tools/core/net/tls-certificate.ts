import net from 'node:net';
import tls from 'node:tls';
import { asciiHost, excerpt, type HostAddress, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { type CertificateReport, reportOf } from './certificate-report.ts';
import { type Connection, connectFirst } from './connect.ts';
import { type ConnectionFailure, connectionFailure } from './connection-failure.ts';
import { startDeadline, untilAborted } from './deadline.ts';
import { handshakeError } from './handshake-error.ts';

interface TlsCertificateParameters {
  readonly host: string;
  readonly port: number;
}

/** Time limit for lookup, connection and handshake, in milliseconds. */
const limitMs = 10_000;

/**
 * Returns the certificate of a TLS server. Throws INVALID_PARAMETERS and NOT_FOUND for the host, OUTBOUND_BLOCKED, TIMEOUT,
 * UPSTREAM_UNAVAILABLE without a connection or when the server ends the handshake, and EXECUTION_FAILED when it does not speak
 * TLS.
 */
export async function tlsCertificate(
  { host, port }: TlsCertificateParameters,
  context: FunctionContext,
): Promise<CertificateReport & { address: string }> {
  const shown = `${excerpt(host)}:${port}`;
  const deadline = startDeadline(context.signal, limitMs, () => tooSlow(shown));
  try {
    const addresses = await untilAborted(context.addressesOf(host, port), deadline.signal);
    const query = { addresses, port, name: identityOf(host) };
    return await context.exchange('tls', query, () => showCertificate(query, shown, deadline.signal));
  } catch (error) {
    deadline.signal.throwIfAborted();
    throw error;
  } finally {
    deadline.end();
  }
}

interface CertificateQuery {
  readonly addresses: readonly HostAddress[];
  readonly port: number;
  /** Name that the certificate must be for. */
  readonly name: string;
}

async function showCertificate(
  { addresses, port, name }: CertificateQuery,
  shown: string,
  signal: AbortSignal,
): Promise<CertificateReport & { address: string }> {
  const { socket, address } = await connectFirst(addresses, port, signal).catch((error: unknown) => {
    throw ToolkitError.is(error) ? error : notConnected(error, shown);
  });
  try {
    const secured = await handshake(socket, name, signal);
    const report = reportOf(secured, name, shown);
    // Sends the pending data first, so that the server sees a proper end of the handshake.
    secured.destroySoon();
    return { ...report, address };
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    throw ToolkitError.is(error) ? error : handshakeError(error, shown);
  }
}

/** Returns the name or address that the certificate must be for; `127.1` is an address too. */
function identityOf(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return net.isIP(bare) === 0 ? asciiHost(bare).replace(/\.$/, '') : bare;
}

/**
 * Performs the handshake. Accepts every certificate and version in order to report them; no data is sent that another server
 * must not see.
 */
function handshake(socket: Connection['socket'], identity: string, signal: AbortSignal): Promise<tls.TLSSocket> {
  return new Promise((resolve, reject) => {
    const secured = tls.connect({
      socket,
      // An IP address is never sent as server name (RFC 6066, 3).
      ...(net.isIP(identity) === 0 ? { servername: identity } : {}),
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const stop = (): void => void secured.destroy(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    secured.once('secureConnect', () => {
      signal.removeEventListener('abort', stop);
      resolve(secured);
    });
    secured.on('error', reject);
  });
}

const failures: Readonly<Record<ConnectionFailure, string>> = {
  refused: 'the host refuses connections to this port. Check the port',
  timeout: 'the host does not answer. Check it with net_check_port',
  unreachable: 'there is no way to the host from here. Check the address',
  failed: 'the connection failed. Try again later',
};

function notConnected(error: unknown, shown: string): ToolkitError {
  const failure = connectionFailure(error);
  return new ToolkitError('UPSTREAM_UNAVAILABLE', `No connection to ${shown}: ${failures[failure]}.`, { failure }, { cause: error });
}

function tooSlow(shown: string): ToolkitError {
  return new ToolkitError(
    'TIMEOUT',
    `${shown} did not show a certificate within ${limitMs} ms. Try again later; net_check_port tells whether the port is open.`,
    {
      timeoutMs: limitMs,
    },
  );
}
