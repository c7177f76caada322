import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An attacker's web server. Its pages are reachable as two origins: one of the console's site, and one of another site. */
export interface Attacker {
  /** Another port of the console's host: a browser sends strict cookies along. */
  readonly sameSite: string;
  /** Another host: a browser holds strict cookies back. */
  readonly otherSite: string;
  /** Paths with their query that browsers have asked for. */
  readonly asked: readonly string[];
  /** Serves a document, and returns its path. */
  serve(body: string): string;
  close(): Promise<void>;
}

/** Starts an attacker's server on loopback. */
export async function startAttacker(): Promise<Attacker> {
  const documents = new Map<string, string>();
  const asked: string[] = [];
  const server: Server = createServer(({ url = '/' }, response) => {
    asked.push(url);
    const body = documents.get(url);
    if (body === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html><title>Prizes</title><body>${body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    sameSite: `http://127.0.0.1:${port}`,
    otherSite: `http://localhost:${port}`,
    asked,
    serve(body) {
      const path = `/page-${documents.size}`;
      documents.set(path, body);
      return path;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
