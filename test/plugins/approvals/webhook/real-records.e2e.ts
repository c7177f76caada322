import { expect } from 'chai';
import Type from 'typebox';
import { type ApprovalEvent, apiVersion, type CallClient, definePlugin, type Kernel, ToolkitError } from '../../../../kernel/index.ts';
import { approvalGate } from '../../../../plugins/approval-gate/index.ts';
import { approvals } from '../../../../plugins/approvals/index.ts';
import type { ApprovalsOptions } from '../../../../plugins/approvals/options.ts';
import { callsOnce } from '../../../../plugins/calls-once/index.ts';
import { approvalWays } from '../../../../plugins/shared/approval/approval-ways.ts';
import { loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { until } from '../../../support/until.ts';
import { send, wireServer } from '../../mcp/support/wire.ts';
import { secret, signed } from './records.ts';

const mailSecret = 'the secret of the mail service';

interface Message {
  readonly approval: {
    readonly id: string;
    readonly tool: string;
    readonly shown: unknown;
    readonly digest: string;
    readonly count: number;
  };
  readonly answer: { readonly url: string; readonly digest: string };
}

interface World {
  readonly kernel: Kernel;
  readonly port: number;
  readonly paid: unknown[];
  readonly events: ApprovalEvent[];
  readonly messages: readonly Message[];
  pay(parameters: Record<string, unknown>, client?: CallClient): Promise<unknown>;
  /** Sends a signed answer to the address of a message. */
  answer(
    message: Message,
    decision: 'approve' | 'refuse',
    key?: string,
    more?: Record<string, unknown>,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
}

/** The plugin with two webhooks, on an HTTP server, before a receiver of theirs. */
async function world(options: ApprovalsOptions = {}): Promise<World> {
  const [paid, events, messages]: [unknown[], ApprovalEvent[], Message[]] = [[], [], []];
  const { url } = await loopback(({ body, url: path }, response) => {
    if (path === '/chat') messages.push(JSON.parse(body) as Message);
    response.writeHead(204).end();
  });
  const bank = definePlugin({
    name: 'bank',
    apiVersion,
    apply({ hooks, extend }) {
      extend.execution('pay', { schema: Type.Object({}) });
      extend.approvalEvents((event) => void events.push(event));
      const parameters = { to: { type: 'string', required: true }, sum: { type: 'number' } };
      hooks.discover.tap('bank', (sink) =>
        sink.addTool({ name: 'pay', description: 'Pays', parameters, requires_approval: true, execution: { type: 'pay' } }),
      );
      hooks.execute.for('pay').tap('bank', ({ parameters: given }) => {
        paid.push(given);
        return { output: { receipt: paid.length } };
      });
    },
  });
  const webhooks = [
    { name: 'chat', url: `${url}/chat`, secret },
    { name: 'mail', url: `${url}/mail`, secret: mailSecret },
  ];
  const more = [bank(), approvalGate({ mode: 'elicit' }), approvals({ webhooks, ...options }), callsOnce()];
  const { kernel, port } = await wireServer({ more });
  return {
    ...{ kernel, port, paid, events, messages },
    pay: async (parameters, client = {}) => (await kernel.call({ tool: 'pay', parameters, caller: 'bob', origin: 'model', client })).output,
    answer: async ({ approval, answer }, decision, key = secret, more = {}) => {
      expect(answer.url).to.equal(`http://127.0.0.1:${port}/approvals/answer`);
      const body = JSON.stringify({ approval: approval.id, digest: answer.digest, decision, ...more });
      const headers = { authorization: undefined, ...signed(body, { key }) };
      const reply = await send(port, { path: '/approvals/answer', headers, body });
      return { status: reply.status, body: JSON.parse(reply.body) as Record<string, unknown> };
    },
  };
}

const first = (messages: readonly Message[], index = 0): Promise<Message> => until(() => messages[index]);

describe('webhooks of approval records', () => {
  it('tell about a call that nobody could be asked about, and a yes lets the next equal call run once', async () => {
    const { pay, paid, messages, answer, events } = await world();
    const refused = await rejection(pay({ to: 'ann', sum: 5 }), 'APPROVAL_REQUIRED');
    const message = await first(messages);
    expect(message.approval).to.include({ id: refused.details['approval'], tool: 'pay', count: 1 });
    expect(message.approval.shown).to.deep.include({ parameters: { to: 'ann', sum: 5 } });
    expect(message.answer.digest).to.equal(message.approval.digest);
    expect(await answer(message, 'approve')).to.deep.include({ status: 200 });
    expect(await pay({ sum: 5, to: 'ann' })).to.deep.equal({ receipt: 1 });
    await rejection(pay({ to: 'ann', sum: 5 }), 'APPROVAL_REQUIRED');
    expect(paid).to.have.length(1);
    expect(messages.length).to.be.within(1, 2);
    const approved = events.find(({ event }) => event === 'approved');
    expect(approved?.by).to.deep.equal({ way: 'webhook', name: 'chat' });
  });

  it('decide a call whose client still waits', async () => {
    const { pay, messages, answer } = await world();
    const client: CallClient = {
      elicit: (_question, signal) =>
        new Promise((_resolve, reject) => void signal?.addEventListener('abort', () => reject(new Error('decided elsewhere')))),
    };
    const call = pay({ to: 'ann' }, client);
    expect((await answer(await first(messages), 'approve')).status).to.equal(200);
    expect(await call).to.deep.equal({ receipt: 1 });
  });

  it('refuse a call, with the reason, and calls like it for a while', async () => {
    const { pay, messages, answer, paid } = await world({ waitMs: 60_000 });
    const call = rejection(pay({ to: 'eve' }), 'APPROVAL_DENIED');
    await answer(await first(messages), 'refuse', mailSecret, { reason: 'not eve', hold: 'tool' });
    expect((await call).message).to.include('not eve');
    expect((await rejection(pay({ to: 'adam' }), 'APPROVAL_DENIED')).message).to.include('mail (webhook)');
    expect(paid).to.deep.equal([]);
  });

  it('are one decision: of twenty answers that race, the losers are told who was first', async () => {
    const { pay, messages, answer, events, kernel } = await world();
    await rejection(pay({ to: 'ann' }), 'APPROVAL_REQUIRED');
    const message = await first(messages);
    const answers = Array.from({ length: 20 }, (_, index) =>
      answer(message, index % 2 === 0 ? 'approve' : 'refuse', index % 3 === 0 ? mailSecret : secret),
    );
    const replies = await Promise.all(answers);
    expect(replies.filter(({ status }) => status === 200)).to.have.length(1);
    const lost = replies.filter(({ status }) => status === 409);
    expect(lost).to.have.length(19);
    const { status, decisions } = await kernel.approvals.get(message.approval.id);
    const by = decisions[0]?.by;
    for (const { body } of lost) {
      expect(String(body['error'])).to.include(`${by?.name} (webhook) ${status === 'approved' ? 'approved' : 'refused'} it`);
      expect(body['decided']).to.deep.include({ status });
    }
    expect(events.filter(({ event }) => event === 'rejected')).to.have.length(19);
  });

  it('are two approvers by their two names, and one by one', async () => {
    const { pay, messages, answer } = await world({ approvers: 2 });
    await rejection(pay({ to: 'ann' }), 'APPROVAL_REQUIRED');
    const message = await first(messages);
    expect((await answer(message, 'approve')).body).to.include({ status: 'waiting' });
    expect((await answer(message, 'approve')).status).to.equal(409);
    expect((await answer(message, 'approve', mailSecret)).body).to.include({ status: 'approved' });
    expect(await pay({ to: 'ann' })).to.deep.equal({ receipt: 1 });
  });

  it('leave no trace of a forged answer but the event', async () => {
    const { pay, messages, answer, events, kernel } = await world();
    await rejection(pay({ to: 'ann' }), 'APPROVAL_REQUIRED');
    const message = await first(messages);
    expect((await answer(message, 'approve', 'a secret of somebody else altogether')).status).to.equal(401);
    expect((await answer({ ...message, answer: { ...message.answer, digest: 'c'.repeat(64) } }, 'approve')).status).to.equal(409);
    expect((await answer({ ...message, approval: { ...message.approval, id: 'none-1' } }, 'approve')).status).to.equal(404);
    expect((await kernel.approvals.get(message.approval.id)).status).to.equal('waiting');
    expect(events.filter(({ event }) => event === 'rejected').map(({ id }) => id)).to.deep.equal([
      message.approval.id,
      message.approval.id,
      'none-1',
    ]);
  });

  it('tell about a call once, however often it asks', async () => {
    const { pay, messages } = await world();
    for (let count = 0; count < 10; count++) await rejection(pay({ to: 'ann' }), 'APPROVAL_REQUIRED');
    await rejection(pay({ to: 'bea' }), 'APPROVAL_REQUIRED');
    await first(messages, 1);
    expect(messages).to.have.length(2);
  });

  it('are deciders of the configuration', async () => {
    const { kernel } = await world();
    expect(kernel.facts(approvalWays).map(({ value }) => value)).to.deep.include({ way: 'webhook', names: ['chat', 'mail'] });
  });

  it('are refused with options that cannot be used', async () => {
    const webhooks = [{ name: 'chat', url: 'http://chat.example/', secret }];
    const error: unknown = await world({ webhooks }).catch((thrown: unknown) => thrown);
    expect(ToolkitError.is(error) && error.code).to.equal('PLUGIN_INVALID');
  });
});
