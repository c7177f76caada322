import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { connect, gate } from '../../mcp/support/client.ts';
import { asks, ModernClient, textIn } from '../../mcp/support/modern-client.ts';
import { type Attack, given } from './attack.ts';
import type { World } from './attack-world.ts';

const said = { action: 'accept', content: { approve: true } } as const;
const canAsk = { capabilities: { elicitation: {} } } as const;

interface QuestionedCall {
  readonly requestState: string;
  readonly inputResponses: Readonly<Record<string, unknown>>;
}

/** A client of 2026-07-28, and its call that waits for an answer, with a yes to it. */
async function asked(
  { kernel }: World,
  caller = 'ada',
  beside?: ModernClient,
): Promise<{ readonly client: ModernClient; readonly call: QuestionedCall }> {
  const client = await ModernClient.connect(kernel, { ...canAsk, caller, ...(beside === undefined ? {} : { beside }) });
  const { requestState, inputRequests } = asks(await client.call('pay', given));
  return { client, call: { requestState, inputResponses: Object.fromEntries(Object.keys(inputRequests).map((name) => [name, said])) } };
}

/** Answers over MCP that are not the answer to this question. */
export const overMcp: readonly Attack[] = [
  {
    attack: 'an answer over MCP a second time',
    begin: async (world) => {
      const { client, call } = await asked(world);
      textIn(await client.call('pay', given, call));
      return () => client.call('pay', given, call);
    },
    says: /call pay of ada: /,
  },
  {
    attack: 'an answer over MCP ten times at once, after it was used',
    begin: async (world) => {
      const { client, call } = await asked(world);
      textIn(await client.call('pay', given, call));
      return () => Promise.all(Array.from({ length: 10 }, () => client.ask('tools/call', { name: 'pay', arguments: given, ...call })));
    },
    says: /(call pay of ada: [\s\S]*){10}/,
  },
  {
    attack: 'an answer over MCP to a later question about an equal call',
    begin: async (world) => {
      const { client, call } = await asked(world);
      const { requestState } = asks(await client.call('pay', given));
      textIn(await client.call('pay', given, call));
      return () => client.call('pay', given, { ...call, requestState });
    },
    says: /call pay of ada: /,
  },
  {
    attack: 'an answer over MCP for other arguments',
    begin: async (world) => {
      const { client, call } = await asked(world);
      return () => client.ask('tools/call', { name: 'pay', arguments: { ...given, amount: 2 }, ...call });
    },
    says: /request: .*answer/,
  },
  {
    attack: 'an answer over MCP for the record of another caller',
    begin: async (world) => {
      const { client, call } = await asked(world);
      const eve = await asked(world, 'eve', client);
      return async () => {
        await eve.client.ask('tools/call', { name: 'pay', arguments: given, ...call });
        await eve.client.ask('tools/call', { name: 'pay', arguments: given, inputResponses: call.inputResponses });
      };
    },
    says: /call pay of eve: /,
  },
  {
    attack: 'an answer over MCP without the state of the question',
    begin: async (world) => {
      const { client, call } = await asked(world);
      return () => client.ask('tools/call', { name: 'pay', arguments: given, inputResponses: call.inputResponses });
    },
    says: /call pay of ada: /,
  },
  {
    attack: 'an answer of another session with the number of the question',
    begin: async (world) => {
      const [one, other] = [await connect(world.kernel, { ...canAsk, caller: 'ada' }), await connect(world.kernel, { caller: 'eve' })];
      const [question, end] = [gate(), gate()];
      one.client.setRequestHandler(ElicitRequestSchema, async () => {
        question.open();
        await end.opened;
        return { action: 'decline' };
      });
      const call = one.call('pay', given);
      await question.opened;
      return async () => {
        for (let id = 0; id < 20; id++) await other.client.transport?.send({ jsonrpc: '2.0', id, result: said });
        await other.client.ping();
        expect(world.effects).to.deep.equal([]);
        end.open();
        await call;
      };
    },
    says: /call pay of ada: APPROVAL_DENIED/,
    ends: 'refused',
  },
];
