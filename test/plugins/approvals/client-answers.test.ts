import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import { approvals } from '../../../plugins/approvals/index.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import { fileStore } from '../../support/file-store.ts';
import { testKernel } from '../../support/test-kernel.ts';
import { until } from '../../support/until.ts';
import { handlerTool } from '../mcp/support/client.ts';
import { asks, ModernClient } from '../mcp/support/modern-client.ts';

const ann = { way: 'command line', name: 'ann' } as const;
const yes = { action: 'accept', content: { approve: true } };

/** A client of 2026-07-28 of a server with records, in memory or in a file. */
async function served(capabilities: object = { elicitation: {} }, isShared = false) {
  const runs: unknown[] = [];
  const pay = handlerTool(
    (parameters: unknown) => {
      runs.push(parameters);
      return 'paid';
    },
    { name: 'pay', requires_approval: true, parameters: { to: { type: 'string' } } },
  );
  const stores = isShared ? [(await fileStore())()] : [];
  const kernel = await testKernel({ tools: [pay], plugins: [...stores, approvalGate({ mode: 'elicit' }), approvals(), callsOnce()] });
  const client = await ModernClient.connect(kernel, { capabilities: capabilities as never });
  return { kernel, client, runs };
}

const firstRecord = async (kernel: Kernel) => until(async () => (await kernel.approvals.list()).approvals[0]);

const parameters = { to: 'Ada' };

describe('a client that makes its call again with the answer', () => {
  for (const isShared of [false, true]) {
    const where = isShared ? 'in a store' : 'in memory';
    it(`decides the record that it was asked about, ${where}`, async () => {
      const { kernel, client, runs } = await served(undefined, isShared);
      const { requestState, inputRequests } = asks(await client.call('pay', parameters));
      const inputResponses = { [Object.keys(inputRequests)[0] ?? '']: yes };
      const { content } = await client.call('pay', parameters, { requestState, inputResponses });
      expect([content, runs.length]).to.deep.equal([[{ type: 'text', text: 'paid' }], 1]);
      const { approvals: all } = await kernel.approvals.list();
      expect(all.map(({ status, decisions }) => [status, decisions.map(({ by }) => by)])).to.deep.equal([
        ['used', [{ way: 'elicitation', name: 'default' }]],
      ]);
    });

    it(`is told who has refused meanwhile, and is not asked again, ${where}`, async () => {
      const { kernel, client, runs } = await served(undefined, isShared);
      const { requestState, inputRequests } = asks(await client.call('pay', parameters));
      const { id } = await firstRecord(kernel);
      await kernel.approvals.decide(id, { approve: false, by: ann, reason: 'too much' });
      const inputResponses = { [Object.keys(inputRequests)[0] ?? '']: yes };
      const { isError, _meta } = await client.call('pay', parameters, { requestState, inputResponses });
      const { code, message, approval, decided } = (_meta as Record<string, Record<string, unknown>>)['toolkit/error'] ?? {};
      expect([isError, code, approval]).to.deep.equal([true, 'APPROVAL_DENIED', id]);
      expect(message).to.include('ann (command line) refused it: too much');
      expect(decided).to.have.property('status', 'refused');
      expect([(await kernel.approvals.list()).approvals.length, runs.length]).to.deep.equal([1, 0]);
    });

    it(`does not run by the approval of another person when its own answer is no, ${where}`, async () => {
      const { kernel, client, runs } = await served(undefined, isShared);
      const { requestState, inputRequests } = asks(await client.call('pay', parameters));
      const { id } = await firstRecord(kernel);
      await kernel.approvals.decide(id, { approve: true, by: ann });
      const inputResponses = { [Object.keys(inputRequests)[0] ?? '']: { action: 'decline' } };
      const { isError, content } = await client.call('pay', parameters, { requestState, inputResponses });
      expect([isError, runs.length]).to.deep.equal([true, 0]);
      expect(JSON.stringify(content)).to.include('APPROVAL_DENIED').and.to.include('ann (command line) approved it');
    });
  }
});

describe('a call of a client that cannot ask', () => {
  it('names its record, and how it is decided, where other processes find it', async () => {
    const { kernel, client } = await served({}, true);
    const { isError, content, _meta } = await client.call('pay', parameters);
    const { id } = await firstRecord(kernel);
    const error = (_meta as Record<string, Record<string, unknown>>)['toolkit/error'];
    expect([isError, error?.['code'], error?.['approval']]).to.deep.equal([true, 'APPROVAL_REQUIRED', id]);
    expect(JSON.stringify(content)).to.include(`toolkit approvals approve ${id}`);
  });

  it('waits as a task, is taken back when that is cancelled, and has its result after a yes', async () => {
    const { kernel, client, runs } = await served({ extensions: { 'io.modelcontextprotocol/tasks': {} } });
    const first = await client.call('pay', parameters);
    const { id } = await firstRecord(kernel);
    expect(first).to.include({ resultType: 'task', statusMessage: `Waits for a person: approval ${id}.` });
    await client.result('tasks/cancel', { taskId: first['taskId'] });
    const ended = await until(async () => {
      const record = await kernel.approvals.get(id);
      return record.status === 'waiting' ? undefined : record;
    });
    expect([ended.status, ended.ended]).to.deep.equal(['withdrawn', 'its client has cancelled it']);
    const { taskId } = await client.call('pay', parameters);
    await kernel.approvals.decide((await firstRecord(kernel)).id, { approve: true, by: ann });
    const { result } = await until(async () => {
      const task = await client.result('tasks/get', { taskId });
      return task['status'] === 'completed' ? task : undefined;
    });
    expect(result).to.deep.include({ content: [{ type: 'text', text: 'paid' }] });
    expect(runs).to.have.length(1);
  });

  it('keeps its record when its connection is lost', async () => {
    const { kernel, client } = await served({ extensions: { 'io.modelcontextprotocol/tasks': {} } });
    await client.call('pay', parameters);
    const { id } = await firstRecord(kernel);
    await client.close();
    expect((await kernel.approvals.get(id)).status).to.equal('waiting');
  });
});
