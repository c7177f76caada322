import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { after, before } from 'mocha';
import { whenRead } from '../../../fixtures/servers/when-read.ts';
import { program } from '../../e2e/program.ts';
import { afterEach } from '../../support/after-each.ts';
import { installIn } from '../../support/installed.ts';
import { runner } from './runner.ts';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answer {
  readonly success: boolean;
  readonly errors: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: what each tool answers with is what its tests look at.
  readonly [member: string]: any;
}

/** A folder of one test below the root of the server; relative paths of calls start there. */
export interface Session {
  readonly folder: string;
  readonly client: Client;
  /** Returns the files that the server and the runner left in their temporary folder. */
  leftovers(): Promise<readonly string[]>;
  /** `apiclient_<name>`, and the parameters with their paths made absolute. */
  request(name: string, parameters: Readonly<Record<string, unknown>>): { name: string; arguments: Record<string, unknown> };
  /** Calls `apiclient_<name>`. */
  call(name: string, parameters: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** Writes a file below the folder. */
  write(file: string, content: string): Promise<void>;
}

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/**
 * For the tests of a `describe`: the built server over stdio in a new project that has the pack and the real runner, with an official client.
 * Gives what opens a folder for one test.
 */
export function projectWithRunner(): () => Promise<Session> {
  const client = new Client({ name: 'suite', version: '1.0.0' });
  let root = '';
  let number = 0;

  before(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'toolkit-suite-'));
    const plugins = [
      ['toolkit/standard', { allowHosts: ['127.0.0.1'], includeCore: false }],
      ['toolkit/plugins/apiclient', { command: runner }],
      'toolkit/plugins/mcp',
    ];
    await writeFile(path.join(root, 'package.json'), '{ "dependencies": { "@toolkit/apiclient": "*" } }');
    await writeFile(path.join(root, 'toolkit.config.json'), JSON.stringify({ plugins }));
    await installIn(root);
    await cp(path.resolve('tools/apiclient'), path.join(root, 'node_modules/@toolkit/apiclient'), { recursive: true });
    await mkdir(path.join(root, 'tmp'));
    const env = { PATH: process.env['PATH'] ?? '', HOME: await home(path.join(root, 'home')), TMPDIR: path.join(root, 'tmp'), ...ofServer };
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], cwd: root, env }));
  });

  after(async () => {
    await client.close();
    await rm(root, { recursive: true });
  });

  return async () => {
    const folder = path.join(root, `test-${number++}`);
    await mkdir(folder);
    const request = (name: string, parameters: Readonly<Record<string, unknown>>) => ({
      name: `apiclient_${name}`,
      arguments: Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, placed(folder, key, value)])),
    });
    return {
      folder,
      client,
      leftovers: async () => (await readdir(path.join(root, 'tmp'))).filter((name) => name.startsWith('toolkit-apiclient-')),
      request,
      async call(name, parameters) {
        const result = await client.callTool(request(name, parameters), undefined, { timeout: 120_000 });
        if (result.structuredContent === undefined) throw new Error(JSON.stringify(result));
        return result.structuredContent as unknown as Answer;
      },
      async write(file, content) {
        await writeFile(path.join(folder, file), content);
      },
    };
  };
}

/** Variables of the server's environment, and of the account by its login shell; a run must have neither. */
export const ofServer = { TOOLKIT_SUITE_SERVER: 'of-the-server' };
export const ofAccount = { TOOLKIT_SUITE_PROFILE: 'of-the-profile' };

/** A home whose login shell sets the variables of the account. */
async function home(folder: string): Promise<string> {
  await mkdir(folder);
  const lines = Object.entries(ofAccount).map(([name, value]) => `export ${name}=${value}\n`);
  for (const profile of ['.profile', '.bash_profile', '.bashrc', '.zshenv']) await writeFile(path.join(folder, profile), lines.join(''));
  return folder;
}

/** Paths below the folder of the test. */
function placed(folder: string, key: string, value: unknown): unknown {
  const isPath = /_(path|file|directory)$/.test(key) || (key === 'spec_source' && !String(value).startsWith('http'));
  return isPath ? path.resolve(folder, String(value)) : value;
}

/** A server that answers every request with what it was, 404 below /missing, and leads from /redirect? to what stands behind it. Gives its address and what it has seen. */
export async function echo(): Promise<{ readonly url: string; readonly seen: readonly Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer(
    { keepAliveTimeout: 0 },
    whenRead(({ method = '', url = '', headers }, read, response) => {
      const body = read.toString('utf8');
      seen.push({ method, url, headers, body });
      const [, location] = /^\/redirect\?(.*)$/.exec(url) ?? [];
      if (location !== undefined) return void response.writeHead(302, { location }).end();
      response.writeHead(url.startsWith('/missing') ? 404 : 200, { 'content-type': 'application/json', 'x-answer': 'yes' });
      response.end(method === 'HEAD' ? undefined : JSON.stringify({ method, url, body }));
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** A file of variables for `env_file`. */
export function variables(values: Readonly<Record<string, string>>): string {
  return JSON.stringify({ variables: Object.entries(values).map(([name, value]) => ({ name, value, enabled: true, secret: false })) });
}

/** Returns the success of an answer with its errors, for messages of failed tests. */
export const outcome = ({ success, errors }: Answer): unknown => ({ success, errors });
export const good = { success: true, errors: [] };
