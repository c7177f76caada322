import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import tls, { type TLSSocket } from 'node:tls';
import sinon from 'sinon';
import { afterEach } from '../../support/after-each.ts';

export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface Certificates {
  /** Vouches for the server, and for alice and bob. */
  readonly ca: Pair;
  /** For 127.0.0.1. */
  readonly server: Pair;
  readonly alice: Pair;
  readonly bob: Pair;
  /** Vouched for by nobody. */
  readonly stranger: Pair;
  /** The key of alice, encrypted. */
  readonly aliceEncryptedKey: string;
}

/** The word that opens `aliceEncryptedKey`. */
export const passphrase = 'open sesame';

/** A certificate authority and what it vouches for, made by openssl. */
export async function makeCertificates(): Promise<Certificates> {
  const cwd = await mkdtemp(path.join(os.tmpdir(), 'toolkit-test-'));
  const openssl = (args: readonly string[]): void => void execFileSync('openssl', args, { cwd, stdio: 'pipe' });
  const read = (name: string): Promise<string> => readFile(path.join(cwd, name), 'utf8');
  const make = async (name: string, more: readonly string[]): Promise<Pair> => {
    const request = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
    ];
    openssl([...request, '-keyout', `${name}.key`, '-out', `${name}.crt`, ...more]);
    return { cert: await read(`${name}.crt`), key: await read(`${name}.key`) };
  };
  try {
    const ca = await make('ca', []);
    const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-addext', 'basicConstraints=CA:FALSE'];
    const server = await make('server', [...signed, '-addext', 'subjectAltName=IP:127.0.0.1']);
    const [alice, bob, stranger] = [await make('alice', signed), await make('bob', signed), await make('stranger', [])];
    await writeFile(path.join(cwd, 'word'), passphrase);
    openssl(['pkcs8', '-topk8', '-in', 'alice.key', '-out', 'encrypted.key', '-passout', 'file:word']);
    return { ca, server, alice, bob, stranger, aliceEncryptedKey: await read('encrypted.key') };
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

export interface SeenCall {
  readonly path: string;
  /** Whom the certificate of the connection names; undefined without one. */
  readonly name: string | undefined;
  /** A certificate authority that the server knows vouches for it. */
  readonly isProven: boolean;
  /** The connection. */
  readonly port: number | undefined;
  readonly tenant: string | undefined;
}

const servers: Server[] = [];

/** An HTTPS server on a loopback port that asks for a certificate, answers 401 without a good one, and tells whose it was. */
export async function certificateServer(
  { ca, server: own }: Certificates,
  answer: (call: SeenCall) => { status?: number; location?: string } | Promise<void> = () => ({}),
): Promise<{ readonly url: string; readonly calls: SeenCall[] }> {
  const calls: SeenCall[] = [];
  const server = createServer(
    { ...own, ca: ca.cert, requestCert: true, rejectUnauthorized: false, keepAliveTimeout: 0 },
    async (request, response) => {
      const socket = request.socket as TLSSocket;
      const { subject } = socket.getPeerCertificate();
      const call = {
        path: request.url ?? '',
        name: subject?.CN as string | undefined,
        // A session that is resumed without a certificate counts as authorized in Node.
        isProven: socket.authorized && subject !== undefined,
        port: socket.remotePort,
        tenant: request.headers['x-tenant'] as string | undefined,
      };
      calls.push(call);
      const { status = call.isProven ? 200 : 401, location } = (await answer(call)) ?? {};
      const headers = { 'content-type': 'application/json', ...(location === undefined ? {} : { location }) };
      response.writeHead(status, headers).end(JSON.stringify({ name: call.name ?? null }));
    },
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

/** Lets every connection of this process trust this authority until the end of the test, as NODE_EXTRA_CA_CERTS does from the start. */
export function trust({ cert }: Pair): void {
  const create = tls.createSecureContext;
  sinon.stub(tls, 'createSecureContext').callsFake((options = {}) => create({ ...options, ca: options.ca ?? cert }));
}

afterEach(async () => {
  sinon.restore();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
