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

/** Milliseconds for the lookup of the name, the connection and the handshake. */
const limitMs = 10_000;

/**
 * What a TLS server shows of itself. Throws INVALID_PARAMETERS and NOT_FOUND for the host, OUTBOUND_BLOCKED, TIMEOUT, UPSTREAM_UNAVAILABLE
 * without a connection or when the server ends the handshake, EXECUTION_FAILED when it does not speak TLS.
 */
export async function tlsCertificate(
  { host, port }: TlsCertificateParameters,
  context: FunctionContext,
): Promise<CertificateReport & { address: string }> {
  const shown = `${excerpt(host)}:${port}`;
  const deadline = startDeadline(context.signal, limitMs, () => tooSlow(shown));
  try {
    const addresses = await untilAborted(context.addressesOf(host, port), deadline.signal);
    const asked = { addresses, port, name: identityOf(host) };
    return await context.exchange('tls', asked, () => showCertificate(asked, shown, deadline.signal));
  } catch (error) {
    deadline.signal.throwIfAborted();
    throw error;
  } finally {
    deadline.end();
  }
}

interface Asked {
  readonly addresses: readonly HostAddress[];
  readonly port: number;
  /** That the certificate must be for. */
  readonly name: string;
}

async function showCertificate(
  { addresses, port, name }: Asked,
  shown: string,
  signal: AbortSignal,
): Promise<CertificateReport & { address: string }> {
  const { socket, address } = await connectFirst(addresses, port, signal).catch((error: unknown) => {
    throw ToolkitError.is(error) ? error : notConnected(error, shown);
  });
  try {
    const secured = await handshake(socket, name, signal);
    const report = reportOf(secured, name, shown);
    // After what is left to be sent, so that the server sees a handshake that was ended in good order.
    secured.destroySoon();
    return { ...report, address };
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    throw ToolkitError.is(error) ? error : handshakeError(error, shown);
  }
}

/** The name or the address that the certificate must be for; `127.1` is an address too. */
function identityOf(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return net.isIP(bare) === 0 ? asciiHost(bare).replace(/\.$/, '') : bare;
}

/** Nothing is sent that a wrong server must not have, so every certificate and every version is taken, the better to tell about them. */
function handshake(socket: Connection['socket'], identity: string, signal: AbortSignal): Promise<tls.TLSSocket> {
  return new Promise((resolve, reject) => {
    const secured = tls.connect({
      socket,
      // An address is not told to the server (RFC 6066, 3).
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
