import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach } from '../support/after-each.ts';

/** The built program. */
export const program = path.resolve('dist/plugins/toolkit/main.js');

const closers: (() => Promise<unknown>)[] = [];

let test = { isOver: false };

afterEach(async () => {
  test.isOver = true;
  test = { isOver: false };
  for (const close of closers.splice(0).reverse()) await close().catch(() => {});
});

export interface Started {
  readonly child: ChildProcess;
  readonly stderr: () => string;
  readonly stdout: () => string;
  /** Resolves with what standard error holds once it matches. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts `toolkit`, or another program of JavaScript, with these arguments, as its first line does; killed after the test. */
export function start(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>>; readonly program?: string },
): Started {
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...options.env };
  const child = spawn(process.execPath, ['--', options.program ?? program, ...args], {
    cwd: options.cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // It may end before it has read what it is given.
  child.stdin.on('error', () => {});
  let stderr = '';
  let stdout = '';
  const waiting = new Set<() => void>();
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

/** An official MCP client on the stdio of a new server. */
export async function stdioClient(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<{ client: Client; transport: StdioClientTransport; stderr: () => string }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    cwd: options.cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...options.env },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  const client = new Client({ name: 'e2e', version: '1.0.0' });
  closers.push(() => client.close());
  await client.connect(transport);
  return { client, transport, stderr: () => stderr };
}

/** An official MCP client on a running HTTP server, which hears what the server says of itself: notifications are lost until that stream is open. */
export async function httpClient(url: string, token: string): Promise<Client> {
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
  const client = new Client({ name: 'e2e', version: '1.0.0' });
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

/** Asks again, turn by turn of the event loop, until there is an answer; gives up when the test is over, which has a time limit of its own. */
export async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const own = test;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (own.isOver) throw new Error(`the test is over, and there was no answer from ${ask}`);
    await new Promise(setImmediate);
  }
}

/** Resolves when the process is gone. */
export async function gone(pid: number): Promise<void> {
  await until(async () => (isAlive(pid) ? undefined : true));
}
