import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { WireClient } from '../../plugins/mcp/support/wire-client.ts';
import type { ActParameters, End } from './orders.ts';
import { tokenOf } from './site.ts';

/** A client of MCP over HTTP. */
export interface ActingClient {
  act(parameters: ActParameters): Promise<End<string>>;
  close(): Promise<void>;
}

/** Opens a client that cannot elicit. */
export async function plainClient(port: number, caller: string): Promise<ActingClient> {
  const wire = await WireClient.open(port, tokenOf(caller));
  return {
    act: async (parameters) => endOf((await wire.call('act', parameters)).result),
    close: async () => void (await wire.end()),
  };
}

/** Opens a client that can elicit. `answer`: its person's answer to a question; undefined for none. */
export async function askingClient(
  port: number,
  caller: string,
  answer: (question: string, signal: AbortSignal) => Promise<boolean>,
): Promise<ActingClient> {
  const client = new Client({ name: 'approvals', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler(ElicitRequestSchema, async ({ params: { message } }, { signal }) => ({
    action: 'accept',
    content: { approve: await answer(message, signal) },
  }));
  const requestInit = { headers: { authorization: `Bearer ${tokenOf(caller)}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return {
    act: async (parameters) => endOf(await client.callTool({ name: 'act', arguments: parameters }, undefined, { timeout: 1_800_000 })),
    close: () => client.close(),
  };
}

function endOf(result: unknown): End<string> {
  const {
    isError,
    content,
    _meta = {},
  } = result as {
    readonly isError?: boolean;
    readonly content: readonly { readonly text?: string }[];
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  if (isError === true) {
    const { code, message, ...details } = _meta['toolkit/error'] as { readonly code: string; readonly message: string };
    return { failure: { code, message, details } };
  }
  return { value: content.map(({ text = '' }) => text).join('') };
}
