import { randomUUID } from 'node:crypto';
import { messageOf, ToolkitError, toUrl } from '../../../../../kernel/index.ts';
import type { Transport as McpTransport } from '../../../../shared/mcp-sdk/client.ts';
import { version } from '../../../../shared/project/version.ts';
import type { Launch } from '../launch.ts';
import type { Transport } from '../names.ts';
import { startServer } from './child-server.ts';

export type TestResult =
  | { readonly transport: Transport; readonly ok: true; readonly tools: number; readonly ms: number }
  | { readonly transport: Transport; readonly ok: false; readonly message: string; readonly stderr: string };

export interface TestOptions {
  /** Stops the test and its server process. */
  readonly signal: AbortSignal;
  /** Bearer token of the configuration. @default a random one */
  readonly token?: string;
}

/** Time limit for connecting, and again for each page of tools, in milliseconds. */
const timeoutMs = 60_000;

/** Number of characters of standard error that are kept. */
const maxStderr = 4000;

/** Starts the server as a client does, in the root folder and with a minimal environment, lists its tools and stops it. */
export async function testServer(launch: Launch, transport: Transport, options: TestOptions): Promise<TestResult> {
  const startedAt = performance.now();
  let stderr = '';
  const onStderr = (text: string): void => {
    stderr = (stderr + text).slice(-maxStderr);
  };
  try {
    const tools = await (transport === 'stdio' ? overStdio : overHttp)(launch, options, onStderr);
    return { transport, ok: true, tools, ms: Math.round(performance.now() - startedAt) };
  } catch (error) {
    if (options.signal.aborted)
      throw new ToolkitError('ABORTED', 'The test of the server was stopped, and nothing was written.', {}, { cause: error });
    return { transport, ok: false, message: messageOf(error), stderr: stderr.trim() };
  }
}

async function overStdio(launch: Launch, { signal }: TestOptions, onStderr: (text: string) => void): Promise<number> {
  const { ChildTransport } = await import('./child-transport.ts');
  const server = await startServer(launch, { signal, onStderr });
  try {
    return await Promise.race([countTools(new ChildTransport(server), signal), server.ended.then((end) => Promise.reject(end))]);
  } finally {
    await server.end();
  }
}

async function overHttp(launch: Launch, { signal, token = randomUUID() }: TestOptions, onStderr: (text: string) => void): Promise<number> {
  const { StreamableHTTPClientTransport } = await import('../../../../shared/mcp-sdk/client.ts');
  let printed = '';
  let resolveUrl = (_url: string): void => {};
  const url = new Promise<string>((resolve) => {
    resolveUrl = resolve;
  });
  const listen = (text: string): void => {
    onStderr(text);
    printed += text;
    const address = /MCP server: (\S+)\s/.exec(printed)?.[1];
    if (address !== undefined) resolveUrl(address);
  };
  const launchWithPort = { ...launch, args: [...launch.args, '--port', '0'], env: { ...launch.env, TOOLKIT_MCP_TOKEN: token } };
  const server = await startServer(launchWithPort, { signal, onStderr: listen });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const listed = async (): Promise<number> =>
    countTools(new StreamableHTTPClientTransport(toUrl(await url), { requestInit }) as McpTransport, signal);
  try {
    return await Promise.race([listed(), server.ended.then((end) => Promise.reject(end))]);
  } finally {
    await server.end();
  }
}

async function countTools(transport: McpTransport, signal: AbortSignal): Promise<number> {
  const { Client } = await import('../../../../shared/mcp-sdk/client.ts');
  const client = new Client({ name: 'toolkit-setup', version });
  try {
    await client.connect(transport, { signal, timeout: timeoutMs });
    let count = 0;
    let cursor: string | undefined;
    do {
      const page = await client.listTools(cursor === undefined ? {} : { cursor }, { signal, timeout: timeoutMs });
      count += page.tools.length;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return count;
  } finally {
    await client.close();
  }
}
