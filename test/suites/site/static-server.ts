import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export interface StaticServer {
  /** With the base, such as `http://127.0.0.1:8080/toolkit/`. */
  readonly url: string;
  close(): void;
}

/** Serves the files of a folder below the base, and 404 for everything else. */
export async function staticServer(folder: string, base: string): Promise<StaticServer> {
  const server = createServer(async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://site');
    const name = decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    const file = path.join(folder, path.posix.relative(base, path.posix.normalize(name)));
    const isInside = name.startsWith(base) && file.startsWith(folder + path.sep);
    const body = isInside ? await readFile(file).catch(() => undefined) : undefined;
    response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': types[path.extname(file)] ?? 'text/plain' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
