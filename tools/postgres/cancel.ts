import type { ClientBase } from 'pg';
import type { Settings } from './settings.ts';
import { isSocketFolder } from './settings.ts';
import { tlsOptions } from './tls.ts';

/** Members of pg's connection that pg's types lack. */
interface CancelWire {
  readonly stream: { destroy(): void };
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
  on(event: 'connect' | 'sslconnect' | 'error' | 'end', listener: () => void): unknown;
}

/**
 * Asks the server on a new connection to cancel the statement of this one (PostgreSQL documentation, 55.2.8). The server does not report the
 * outcome. The new connection is encrypted like the first, unlike that of pg's `client.cancel`: a proxy in front of the server may require it.
 * Never throws; takes at most `limitMs` milliseconds.
 */
export async function cancelBackend(client: ClientBase, settings: Settings, limitMs: number): Promise<void> {
  const { processID: processId, secretKey } = client as unknown as { processID: number | null; secretKey: number | null };
  if (processId === null || secretKey === null) return;
  const { default: pg } = await import('pg');
  const ssl = await tlsOptions(settings).catch(() => undefined);
  if (ssl === undefined) return;
  const wire = new pg.Connection({ ssl }) as unknown as CancelWire;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => wire.stream.destroy(), limitMs);
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    wire.on('error', done);
    // The server closes the connection after it has read the request.
    wire.on('end', done);
    wire.on('sslconnect', () => wire.cancel(processId, secretKey));
    wire.on('connect', () => (ssl === false ? wire.cancel(processId, secretKey) : wire.requestSsl()));
    if (isSocketFolder(settings.host)) wire.connect(`${settings.host}/.s.PGSQL.${settings.port}`);
    else wire.connect(settings.port, settings.host);
  });
}
