import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { PageWorld } from './page-world.ts';

export interface PageServer {
  readonly address: string;
  /** Sends an event to every open page. */
  readonly emit: (event: string) => void;
  readonly stop: () => Promise<void>;
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'";

/** Serves the built page from `assets` with answers of the world, under the console's content security policy. */
export async function startPageServer(world: PageWorld, assets: string): Promise<PageServer> {
  // Own text: the build wrote it.
  const names = JSON.parse(await readFile(path.join(assets, 'assets.json'), 'utf8')) as { script: string; style: string };
  const streams = new Set<ServerResponse>();
  const emit = (event: string): void => {
    for (const stream of streams) stream.write(`event: ${event}\ndata:\n\n`);
  };
  const shell = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Console</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/console/assets/${names.style}"><script defer src="/console/assets/${names.script}"></script></head><body><div id="app"></div></body></html>`;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://loopback');
    const send = (status: number, type: string, body: string | Buffer): void => {
      response.writeHead(status, { 'content-type': type, 'content-security-policy': policy }).end(body);
    };
    if (url.pathname === '/console' || url.pathname === '/console/') return send(200, 'text/html; charset=utf-8', shell);
    if (url.pathname === '/console/login') return send(200, 'text/html', '<!doctype html><title>Login</title><h1>Login</h1>');
    const asset = [names.script, names.style].find((name) => url.pathname === `/console/assets/${name}`);
    if (asset !== undefined) {
      const type = asset.endsWith('.js') ? 'text/javascript' : 'text/css';
      return send(200, `${type}; charset=utf-8`, await readFile(path.join(assets, asset)));
    }
    if (url.pathname === '/console/api/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
      streams.add(response);
      response.on('close', () => streams.delete(response));
      return;
    }
    const apiPath = url.pathname.replace('/console/api/', '');
    const { status, body } =
      request.method === 'POST' && request.headers['x-toolkit-csrf'] !== world.overview().csrf
        ? { status: 403, body: { error: { code: 'FORBIDDEN', message: 'The token of the session is missing.' } } }
        : world.answer(request.method ?? 'GET', apiPath, url.searchParams, await bodyOf(request));
    send(status, 'application/json', JSON.stringify(body));
    if (request.method === 'POST') emit('approvals');
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    emit,
    stop: () =>
      new Promise((resolve) => {
        for (const stream of streams) stream.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  // Own text: the page wrote it.
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
