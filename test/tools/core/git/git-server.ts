import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { whenRead } from '../../../../fixtures/servers/when-read.ts';
import { afterEach } from '../../../support/after-each.ts';

interface Options {
  /** Asked for by status 401 where it is set. */
  readonly login?: string;
  /** An answer to all requests, instead of git's. */
  readonly answer?: (response: ServerResponse) => void;
}

export interface GitServer {
  readonly url: string;
  /** The Authorization header of each request; undefined where it had none. */
  readonly authorizations: (string | undefined)[];
}

const servers: Server[] = [];
const working = new Set<Promise<void>>();

/** The bare repositories of a folder over smart HTTP (git-http-backend), on a free loopback port. `login` is `user:password`. */
export async function gitServer(folder: string, { login, answer }: Options = {}): Promise<GitServer> {
  const authorizations: (string | undefined)[] = [];
  const expected = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
  const server = createServer(
    whenRead(async (request, body, response) => {
      const { authorization } = request.headers;
      authorizations.push(authorization);
      if (answer !== undefined) answer(response);
      else if (authorization !== expected && expected !== undefined)
        response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      else await watched(backend(folder, request, body, response));
    }),
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, authorizations };
}

/** A client that leaves early does not stop a program that writes to the repository: the test waits for it before the folder goes. */
async function watched(work: Promise<void>): Promise<void> {
  working.add(work);
  await work.finally(() => working.delete(work));
}

/** One request by way of CGI (RFC 3875). Throws when the program gives no answer. */
async function backend(
  folder: string,
  { method = '', url = '', headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const child = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'somebody',
      REQUEST_METHOD: method,
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: searchParams.toString(),
      CONTENT_TYPE: headers['content-type'] ?? '',
      CONTENT_LENGTH: String(body.length),
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
    },
  });
  // A script need not read what it is given (RFC 3875, 4.2): it may have ended before.
  child.stdin.on('error', () => {}).end(body);
  const [output, [exitCode, signal]] = await Promise.all([buffer(child.stdout), once(child, 'close')]);
  const end = output.indexOf('\r\n\r\n');
  if (end < 0) throw new Error(`git http-backend ended with ${exitCode ?? signal} and gave no answer to ${method} ${url}.`);
  const fields = output
    .subarray(0, end)
    .toString()
    .split('\r\n')
    .map((line) => line.split(': ') as [string, string]);
  const status = fields.find(([name]) => name === 'Status')?.[1] ?? '200';
  response.writeHead(Number.parseInt(status, 10), Object.fromEntries(fields.filter(([name]) => name !== 'Status')));
  response.end(output.subarray(end + 4));
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  await Promise.allSettled(working);
});
