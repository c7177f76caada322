import { expect } from 'chai';
import { callsLong } from '../../../../../../plugins/calls-long/index.ts';
import { metaKeys } from '../../../../../../plugins/mcp/protocol/clients/envelope.ts';
import { echoTool } from '../../../../../support/test-kernel.ts';
import { askModern } from '../../../support/modern-wire.ts';
import { replicas } from '../../../support/replicas.ts';
import { until } from '../../../support/wire.ts';
import { Hold } from '../../../support/wire-tools.ts';

interface AskingClient {
  elicit?(question: object): Promise<{ action: string }>;
}

type Result = Readonly<Record<string, unknown>>;

let runs = 0;

/** Runs once for each answer that holds for it. */
const asking = (more: object = {}) =>
  echoTool({
    name: 'asking',
    parameters: {},
    execution: {
      type: 'function',
      handler: async (_: unknown, { client }: { client: AskingClient }) => {
        const question = { name: 'well', message: 'Well?', schema: { type: 'object', properties: {} }, holdsFor: 'this' };
        const answer = await client.elicit?.(question);
        runs++;
        return answer?.action;
      },
    },
    ...more,
  });

const meta = { [metaKeys.capabilities]: { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } } };

const ask = async (port: number | undefined, method: string, params: object = {}): Promise<Result> => {
  const { result, error } = await askModern(port ?? 0, { method, params: params as Result, meta });
  return result ?? { error };
};

const call = (port: number | undefined, name: string, more: object = {}): Promise<Result> =>
  ask(port, 'tools/call', { name, arguments: {}, ...more });

const textOf = (result: Result): unknown => (result['content'] as [{ text: string }] | undefined)?.[0].text;

describe('requests of 2026-07-28 that come to several servers', () => {
  it('go on with an answer at any of them, and with each state once', async () => {
    const [one, other, third] = await replicas(3, [asking()]);
    const asked = await call(one?.port, 'asking');
    expect(asked['resultType']).to.equal('input_required');
    const answered = { inputResponses: { well: { action: 'accept', content: {} } }, requestState: asked['requestState'] };
    runs = 0;
    const ends = await Promise.all([other, third, one, other, third].map((server) => call(server?.port, 'asking', answered)));
    expect(ends.filter((end) => textOf(end) === 'accept')).to.have.length(1);
    expect(ends.filter((end) => end['resultType'] === 'input_required')).to.have.length(4);
    expect(runs).to.equal(1);
  });

  it('find a task at any of them: how it is, its questions, its result, and its end', async () => {
    const hold = new Hold();
    const tools = [{ ...hold.tool, long: true }, asking({ long: true })];
    const [one, other] = await replicas(2, tools, { more: [callsLong()], tokens: [{ name: 'ada', token: 'the-token-of-ada' }] });
    const begin = async (name: string): Promise<string> => String((await call(one?.port, name))['taskId']);
    const reaches = (taskId: string, status: string): Promise<Result> =>
      until(async () => {
        const task = await ask(other?.port, 'tasks/get', { taskId });
        return task['status'] === status ? task : undefined;
      });
    const working = await begin('hold');
    expect(await ask(other?.port, 'tasks/get', { taskId: working })).to.include({ status: 'working' });
    (await hold.run(0)).release();
    expect(textOf((await reaches(working, 'completed'))['result'] as Result)).to.equal('released');
    const cancelled = await begin('hold');
    await hold.run(1);
    expect(await ask(other?.port, 'tasks/cancel', { taskId: cancelled })).to.include({ resultType: 'complete' });
    await hold.cancelled(1);
    await reaches(cancelled, 'cancelled');
    const asked = await begin('asking');
    expect((await reaches(asked, 'input_required'))['inputRequests']).to.have.property('well');
    await ask(other?.port, 'tasks/update', { taskId: asked, inputResponses: { well: { action: 'decline' } } });
    expect(textOf((await reaches(asked, 'completed'))['result'] as Result)).to.equal('decline');
    const foreign = await askModern(other?.port ?? 0, {
      method: 'tasks/get',
      params: { taskId: working },
      meta,
      headers: { authorization: 'Bearer the-token-of-ada' },
    });
    expect(foreign.error?.code).to.equal(-32602);
    expect(await ask(other?.port, 'tasks/get', { taskId: 'none' })).to.have.nested.property('error.code', -32602);
  });

  it('are told that a task ended with its server', async () => {
    const hold = new Hold();
    const [one, other] = await replicas(2, [{ ...hold.tool, long: true }], { more: [callsLong()], drainMs: 1 });
    const taskId = String((await call(one?.port, 'hold'))['taskId']);
    await hold.run(0);
    await one?.kernel.close();
    const task = await until(async () => {
      const now = await ask(other?.port, 'tasks/get', { taskId });
      return now['status'] === 'working' ? undefined : now;
    });
    expect(task['status']).to.be.oneOf(['failed', 'completed']);
  });
});
