import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { mcp } from '../../../../plugins/mcp/index.ts';
import { createTestKit } from '../../../../plugins/toolkit/testing.ts';
import { validateOutput } from '../../../../plugins/validate-output/index.ts';
import { modernVersion, saysModern } from '../../../plugins/mcp/support/modern-client.ts';
import { type Message, messagesOf, quietly, send, token } from '../../../plugins/mcp/support/wire.ts';
import { initialize, WireClient } from '../../../plugins/mcp/support/wire-client.ts';
import { startEcho } from '../echo-service.ts';
import { startedServer } from '../started-server.ts';
import { digitsOf, thingTool } from '../thing-tool.ts';
import type { Way } from '../way.ts';

/** Sends the text of a message and gives the answer to it. */
type Ask = (text: string) => Promise<Message | undefined>;

interface Asking {
  readonly ask: Ask;
  stop(): Promise<void>;
}

/** The text of a call whose argument is a number of so many digits, which no JavaScript value is. */
function callText(digits: string, era: '2025' | '2026'): string {
  const meta = era === '2026' ? `,"_meta":${JSON.stringify(saysModern({}))}` : '';
  return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"thing_send","arguments":{"id":${digits}}${meta}}}`;
}

async function overStdio(tool: object, era: '2025' | '2026'): Promise<Asking> {
  const { say, answer, stop } = await startedServer(tool);
  const ask: Ask = async (text) => {
    say(text);
    return (await answer()) as Message;
  };
  if (era === '2025') {
    await ask(JSON.stringify(initialize));
    say('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  }
  return { ask, stop };
}

async function overHttp(tool: object, era: '2025' | '2026'): Promise<Asking> {
  const server = mcp({ transport: 'http', port: 0, mcpToken: token });
  const { kernel } = await createTestKit({ plugins: [executorHttp(), validateOutput(), server], tools: [tool] });
  const [running] = await quietly(() => kernel.serve());
  const port = Number(new URL(running?.url ?? '').port);
  const headers =
    era === '2025'
      ? (await WireClient.open(port)).headers
      : { 'mcp-protocol-version': modernVersion, 'mcp-method': 'tools/call', 'mcp-name': 'thing_send' };
  return { ask: async (body) => messagesOf(await send(port, { headers, body })).at(-1), stop: () => kernel.close() };
}

function way(name: string, era: '2025' | '2026', open: (tool: object, era: '2025' | '2026') => Promise<Asking>): Way {
  return {
    name,
    async start() {
      const service = await startEcho();
      service.answer(({ url }) => `{"id":${url.searchParams.get('id')},"list":[${url.searchParams.get('id')}]}`);
      const { ask, stop } = await open(thingTool(service), era);
      return {
        async carry(digits) {
          const answer = await ask(callText(digits, era));
          const [request] = service.requests();
          if (request === undefined || answer?.result?.['isError'] === true) throw new Error(JSON.stringify(answer));
          return digitsOf(request, answer?.result?.['structuredContent']);
        },
        async stop() {
          await stop();
          await service.stop();
        },
      };
    },
  };
}

export const ways: readonly Way[] = [
  way('through a call over MCP stdio, 2025', '2025', overStdio),
  way('through a call over MCP stdio, 2026', '2026', overStdio),
  way('through a call over MCP HTTP, 2025', '2025', overHttp),
  way('through a call over MCP HTTP, 2026', '2026', overHttp),
];
