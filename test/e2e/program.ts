import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, afterFile } from '../support/after-each.ts';
import { foldersForFile } from '../support/temporary.ts';
import { until } from '../support/until.ts';

export { until };

/** The built program. */
export const program = path.resolve('dist/plugins/toolkit/main.js');

/** Where the programs of tests keep their state: not in the home folder of who runs them. */
const stateFolder = path.resolve('node_modules/.cache/test-state');

/** Variables that every program of a test starts with. */
const ownEnv = {
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  XDG_STATE_HOME: stateFolder,
  XDG_CACHE_HOME: path.resolve('node_modules/.cache/test-cache'),
};

const closers: (() => Promise<unknown>)[] = [];
const closersOfFile: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close().catch(() => {});
});

afterFile(async () => {
  for (const close of closersOfFile.splice(0).reverse()) await close().catch(() => {});
});

/** Starts a server that several tests share. It ends after the last test of the file. */
export async function forFile<T>(begin: () => Promise<T>): Promise<T> {
  const mine = closers.splice(0);
  try {
    return await foldersForFile(begin);
  } finally {
    closersOfFile.push(...closers.splice(0));
    closers.push(...mine);
  }
}

export interface Started {
  readonly child: ChildProcess;
  readonly stderr: () => string;
  readonly stdout: () => string;
  /** Resolves with what standard error holds once it matches. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts `toolkit`, or another program of JavaScript, with these arguments, as generated configurations do; killed after the test. */
export function start(
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly program?: string;
    /** Files and connections that it may have open. @default as many as this process */
    readonly openFiles?: number;
  },
): Started {
  const env = { ...ownEnv, ...options.env };
  const command = [process.execPath, '--', options.program ?? program, ...args];
  const limited = options.openFiles === undefined ? [] : ['sh', '-c', `ulimit -n ${options.openFiles} && exec "$0" "$@"`];
  const [first = '', ...rest] = [...limited, ...command];
  const child = spawn(first, rest, {
    cwd: options.cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stderr = '';
  let stdout = '';
  const waiting = new Set<() => void>();
  // What is written to a program that has ended; why it did is for `exit` and standard error to say.
  child.stdin.on('error', () => {});
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    for (const check of waiting) check();
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  closers.push(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const waitFor = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const found = pattern.exec(stderr);
        if (found === null) return;
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      exit.then(({ code }) => reject(new Error(`ended with ${code} before ${pattern}: ${stderr}`)));
      check();
    });
  return { child, stderr: () => stderr, stdout: () => stdout, waitFor, exit };
}

export interface StdioClient {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  /**
   * Ends the server by a signal, however long that takes, and gives all that it wrote to standard error: before its end that may come
   * later than an answer, which is on another stream. `client.close()` would kill a server that is slow to end.
   */
  end(): Promise<string>;
}

/** An official MCP client on the stdio of a new server. */
export async function stdioClient(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>>; readonly capabilities?: ClientCapabilities },
): Promise<StdioClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    cwd: options.cwd,
    env: { ...ownEnv, ...options.env },
    stderr: 'pipe',
  });
  const stderr = text(transport.stderr as Readable);
  const client = new Client({ name: 'e2e', version: '1.0.0' }, { capabilities: options.capabilities ?? {} });
  closers.push(() => client.close());
  await client.connect(transport);
  const end = (): Promise<string> => {
    if (transport.pid !== null) process.kill(transport.pid, 'SIGTERM');
    return stderr;
  };
  return { client, transport, end };
}

/** An official MCP client on a running HTTP server, once its stream is open, on which it hears what the server says of itself. */
export async function httpClient(url: string, token: string, capabilities: ClientCapabilities = {}): Promise<Client> {
  let hears = (): void => {};
  const hearing = new Promise<void>((resolve) => {
    hears = resolve;
  });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    // The client opens the stream by itself when it is connected, and does not say when that is done.
    fetch: async (place, init) => {
      const response = await fetch(place, init);
      if (init?.method === 'GET') hears();
      return response;
    },
  });
  const client = new Client({ name: 'e2e', version: '1.0.0' }, { capabilities });
  closers.push(() => client.close());
  await client.connect(transport as Parameters<Client['connect']>[0]);
  await hearing;
  return client;
}

/** The text of a result; fails when it is an error. */
export function textOf(result: unknown): string {
  const { isError, content } = result as { isError?: boolean; content: { text?: string }[] };
  const text = content.map((part) => part.text ?? '').join('');
  if (isError === true) throw new Error(text);
  return text;
}

/** True while a process exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Resolves when the process is gone. */
export async function gone(pid: number): Promise<void> {
  await until(async () => (isAlive(pid) ? undefined : true));
}
