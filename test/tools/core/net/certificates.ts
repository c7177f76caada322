import { execFileSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { afterEach } from '../../../support/after-each.ts';

export interface Pair {
  readonly cert: string;
  readonly key: string;
}

interface Wish {
  /** As openssl writes it, such as `/C=DE/CN=shop.example`. */
  readonly subject: string;
  /** As openssl writes it, such as `DNS:shop.example,IP:127.0.0.1`. */
  readonly names?: string;
  readonly isAuthority?: boolean;
  /** The signing certificate; without one it is self-signed. */
  readonly by?: string;
  /** Days from now. @default -1 and 30 */
  readonly from?: number;
  readonly to?: number;
}

const configuration = `
[ca]
default_ca = main
[main]
database = index.txt
new_certs_dir = .
rand_serial = yes
unique_subject = no
default_md = sha256
policy = any
copy_extensions = copy
[any]
countryName = optional
organizationName = optional
commonName = optional
`;

/** Certificates made by openssl, by name. One that signs others stands before them. */
export async function makeCertificates<Name extends string>(wishes: Readonly<Record<Name, Wish>>): Promise<Record<Name, Pair>> {
  const cwd = await mkdtemp(path.join(os.tmpdir(), 'toolkit-test-'));
  const openssl = (args: readonly string[]): void => void execFileSync('openssl', args, { cwd, stdio: 'pipe' });
  try {
    await writeFile(path.join(cwd, 'ca.cnf'), configuration);
    await writeFile(path.join(cwd, 'index.txt'), '');
    const made = {} as Record<Name, Pair>;
    for (const [name, wish] of Object.entries<Wish>(wishes)) {
      const { subject, names, isAuthority = false, by = name, from = -1, to = 30 } = wish;
      const extensions = [
        `basicConstraints=critical,CA:${isAuthority ? 'TRUE' : 'FALSE'}`,
        ...(names === undefined ? [] : [`subjectAltName=${names}`]),
      ];
      const added = extensions.flatMap((extension) => ['-addext', extension]);
      const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`];
      openssl(['req', '-new', '-utf8', ...key, '-subj', subject, ...added, '-out', `${name}.csr`]);
      const signer = by === name ? ['-selfsign'] : ['-cert', `${by}.crt`];
      const dates = ['-startdate', opensslTime(from), '-enddate', opensslTime(to)];
      openssl([
        'ca',
        '-batch',
        '-notext',
        '-utf8',
        '-preserveDN',
        '-config',
        'ca.cnf',
        ...signer,
        '-keyfile',
        `${by}.key`,
        ...dates,
        '-in',
        `${name}.csr`,
        '-out',
        `${name}.crt`,
      ]);
      made[name as Name] = {
        cert: await readFile(path.join(cwd, `${name}.crt`), 'utf8'),
        key: await readFile(path.join(cwd, `${name}.key`), 'utf8'),
      };
    }
    return made;
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

function opensslTime(days: number): string {
  return `${new Date(Date.now() + days * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, '')}`;
}

const servers = new Map<tls.Server, Set<tls.TLSSocket>>();

export interface TlsListener {
  readonly port: number;
  /** Closed connections: the server name and protocol of the handshake, and the number of bytes after it. */
  readonly closed: readonly { readonly serverName: string | false | null; readonly alpn: string | false | null; readonly bytes: number }[];
  /** Resolves when so many connections are over. */
  readonly whenClosed: (count: number) => Promise<void>;
}

/** A TLS server on a loopback port. */
export async function tlsListener(options: tls.TlsOptions, prepare: (server: tls.Server) => void = () => {}): Promise<TlsListener> {
  const closed: TlsListener['closed'][number][] = [];
  const sockets = new Set<tls.TLSSocket>();
  const closings = new EventEmitter();
  const server = tls.createServer(options, (socket) => {
    let bytes = 0;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      bytes += data.length;
    });
    const { servername, alpnProtocol } = socket;
    socket.on('close', () => {
      closed.push({ serverName: servername, alpn: alpnProtocol, bytes });
      closings.emit('closed');
    });
  });
  server.on('tlsClientError', () => {});
  prepare(server);
  servers.set(server, sockets);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const whenClosed = async (count: number): Promise<void> => {
    while (closed.length < count) await once(closings, 'closed');
  };
  return { port: (server.address() as AddressInfo).port, closed, whenClosed };
}

afterEach(async () => {
  for (const [server, sockets] of servers) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
  servers.clear();
});
