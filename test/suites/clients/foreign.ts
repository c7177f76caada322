import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach } from '../../support/after-each.ts';

/** Where `npm run test:suite clients` installs clients of others. */
export const installed = path.resolve('node_modules/.cache/clients/node_modules');

/** A module of these, as far as it is used here. */
export const from = async <T>(file: string): Promise<T> => (await import(pathToFileURL(path.join(installed, file)).href)) as T;

/** The bearer token of the servers that they call. */
export const token = 'clients-token';

/** How clients reach a server. */
export type Server =
  | { readonly transport: 'stdio'; readonly cwd: string; readonly args: readonly string[] }
  | { readonly transport: 'http'; readonly url: string };

/** A client: the names that it is given, and a call, whose whole answer comes as text. */
export interface Foreign {
  readonly names: readonly string[];
  call(name: string, parameters: Readonly<Record<string, unknown>>): Promise<string>;
}

/** Opens a client, which is closed after the test. */
export type OpenForeign<Transport extends Server['transport'] = Server['transport']> = (
  server: Extract<Server, { readonly transport: Transport }>,
) => Promise<Foreign>;

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  // Some want to end their session, and say so when its server is gone.
  for (const close of closers.splice(0)) await close().catch(() => {});
});

export function closeAfterTest(close: () => Promise<unknown>): void {
  closers.push(close);
}
