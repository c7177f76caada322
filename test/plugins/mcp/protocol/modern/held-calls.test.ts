import { expect } from 'chai';
import {
  type ApprovalDecision,
  apiVersion,
  ask,
  type CallContext,
  definePlugin,
  isLostCall,
  type Plugin,
} from '../../../../../kernel/index.ts';
import { testKernel } from '../../../../support/test-kernel.ts';
import { until } from '../../../../support/until.ts';
import { gate, handlerTool } from '../../support/client.ts';
import { asks, ModernClient } from '../../support/modern-client.ts';

const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** A plugin that asks a person about every call, in the way of the test. */
function asking(approve: (context: CallContext) => Promise<ApprovalDecision | undefined>): Plugin {
  return definePlugin({
    name: 'asking',
    apiVersion,
    apply({ hooks }) {
      hooks.beforeExecute.tap('asking', (draft) => ask(draft, { kind: 'test', message: 'the test asks' }));
      hooks.approve.tapPromise('asking', async (_request, context) => approve(context));
    },
  })();
}

/** A client of a server whose calls wait for `decide`, and the contexts of the calls. */
async function waiting(capabilities: object = tasks) {
  const decided = gate<boolean>();
  const held: CallContext[] = [];
  const detached: unknown[] = [];
  const plugin = asking(async (context) => {
    held.push(context);
    detached.push(context.client.later?.('Approval 7 waits for a person.'));
    const aborted = new Promise<never>((_resolve, reject) =>
      context.signal.addEventListener('abort', () => reject(context.signal.reason), { once: true }),
    );
    return { approved: await Promise.race([decided.opened, aborted]), by: 'ann' };
  });
  const kernel = await testKernel({ tools: [handlerTool(() => 'ran', { risk: 'low' })], plugins: [plugin] });
  const client = await ModernClient.connect(kernel, { capabilities: capabilities as never });
  const heldCall = (): Promise<CallContext> => until(() => held[0]);
  return { client, decide: decided.open, detached, heldCall };
}

describe('a call that waits for a person', () => {
  it('is a task meanwhile, with what it waits for, and has the result of its run after a yes', async () => {
    const { client, decide, detached } = await waiting();
    const { resultType, taskId, statusMessage } = await client.call('it');
    expect({ resultType, statusMessage }).to.deep.equal({ resultType: 'task', statusMessage: 'Approval 7 waits for a person.' });
    expect(await client.result('tasks/get', { taskId })).to.include({ status: 'working', statusMessage: 'Approval 7 waits for a person.' });
    expect(detached).to.deep.equal([true]);
    decide(true);
    const done = await until(async () => {
      const task = await client.result('tasks/get', { taskId });
      return task['status'] === 'completed' ? task : undefined;
    });
    expect(done['result']).to.deep.include({ content: [{ type: 'text', text: 'ran' }] });
  });

  it('has a refusal as the result of its task', async () => {
    const { client, decide } = await waiting();
    const { taskId } = await client.call('it');
    decide(false);
    const { result } = await until(async () => {
      const task = await client.result('tasks/get', { taskId });
      return task['status'] === 'completed' ? task : undefined;
    });
    expect(result).to.have.property('isError', true);
    expect(JSON.stringify(result)).to.include('APPROVAL_DENIED').and.to.include('ann');
  });

  it('cannot be detached after its client has cancelled it', async () => {
    const late: unknown[] = [];
    const began = gate();
    const plugin = asking(async ({ client: { later }, signal }) => {
      began.open();
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      late.push(later?.());
      return undefined;
    });
    const kernel = await testKernel({ tools: [handlerTool(() => 'ran', { risk: 'low' })], plugins: [plugin] });
    const client = await ModernClient.connect(kernel, { capabilities: tasks as never });
    const id = client.start('tools/call', { name: 'it', arguments: {} });
    await began.opened;
    client.send({ method: 'notifications/cancelled', params: { requestId: id } });
    expect(await until(() => (late.length > 0 ? late : undefined))).to.deep.equal([false]);
  });

  describe('and then ends', () => {
    const ends: Readonly<Record<string, { readonly isLost: boolean; end(client: ModernClient, taskId: unknown, id: unknown): unknown }>> = {
      'by tasks/cancel': { isLost: false, end: (client, taskId) => client.result('tasks/cancel', { taskId }) },
      'by a notification': {
        isLost: false,
        end: (client, _task, requestId) => client.send({ method: 'notifications/cancelled', params: { requestId, reason: 'not needed' } }),
      },
      'with its connection': { isLost: true, end: (client) => client.close() },
    };
    for (const [how, { isLost, end }] of Object.entries(ends))
      it(`${how}, is ${isLost ? 'lost' : 'cancelled'}`, async () => {
        const isTask = how === 'by tasks/cancel';
        const { client, heldCall } = await waiting(isTask ? tasks : {});
        const id = client.start('tools/call', { name: 'it', arguments: {} });
        const taskId = isTask ? (await client.answer(id)).result?.['taskId'] : undefined;
        const { signal } = await heldCall();
        await end(client, taskId, id);
        await until(() => (signal.aborted ? true : undefined));
        expect(isLostCall(signal.reason)).to.equal(isLost);
      });
  });

  it('hears which record the answers of its client are for', async () => {
    const heard: (string | undefined)[] = [];
    const schema = { type: 'object', properties: {} };
    const plugin = asking(async ({ client }) => {
      heard.push(client.answersRecord);
      const answer = await client.elicit?.({ message: 'Run it?', schema, holdsFor: 'a digest', record: 'record-1' });
      return { approved: answer?.action === 'accept', by: 'ann' };
    });
    const kernel = await testKernel({ tools: [handlerTool(() => 'ran', { risk: 'low' })], plugins: [plugin] });
    const client = await ModernClient.connect(kernel, { capabilities: { elicitation: {} } });
    const { requestState, inputRequests } = asks(await client.call('it'));
    const [name = ''] = Object.keys(inputRequests);
    const inputResponses = { [name]: { action: 'accept', content: {} } };
    const answered = await client.call('it', {}, { requestState, inputResponses });
    expect(answered['content']).to.deep.equal([{ type: 'text', text: 'ran' }]);
    await client.call('it', {}, { requestState });
    expect(heard).to.deep.equal([undefined, 'record-1', undefined]);
  });

  it('gives its result, not its question, when it was decided elsewhere while it asked', async () => {
    const elsewhere = new AbortController();
    const plugin = asking(async ({ client }) => {
      const asked = client.elicit?.(
        { message: 'Run it?', schema: { type: 'object', properties: {} }, holdsFor: 'a digest' },
        elsewhere.signal,
      );
      setImmediate(() => elsewhere.abort(new Error('decided elsewhere')));
      await asked?.catch(() => {});
      return { approved: true, by: 'ann' };
    });
    const kernel = await testKernel({ tools: [handlerTool(() => 'ran', { risk: 'low' })], plugins: [plugin] });
    const client = await ModernClient.connect(kernel, { capabilities: { elicitation: {} } });
    expect((await client.call('it'))['content']).to.deep.equal([{ type: 'text', text: 'ran' }]);
  });
});
