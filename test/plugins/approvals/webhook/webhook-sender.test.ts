import { createSecretKey } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { StateStore } from '../../../../kernel/index.ts';
import { outboxEntries, type WebhookOptions } from '../../../../plugins/approvals/webhook/index.ts';
import { writeEntry } from '../../../../plugins/approvals/webhook/outbox.ts';
import { isSignedBy, signedRequest } from '../../../../plugins/approvals/webhook/signature.ts';
import { retryDelayMs, webhookTiming } from '../../../../plugins/approvals/webhook/webhook-timing.ts';
import { guardOutbound } from '../../../../plugins/guard-outbound/index.ts';
import { loopback, type SeenRequest } from '../../../support/loopback.ts';
import { sharedState } from '../../../support/shared-state.ts';
import { until } from '../../../support/until.ts';
import { hookedKernel } from './hooked-kernel.ts';
import { FakeInbox, secret, waitingRecord } from './records.ts';

const ok = (_: SeenRequest, response: ServerResponse): void => void response.writeHead(204).end();

const hook = (url: string, more: Partial<WebhookOptions> = {}): WebhookOptions => ({ name: 'chat', url, secret, ...more });

/** Resolves when the outbox is empty. */
const empty = (state: StateStore): Promise<true> => until(async () => ((await state.list('hook/')).length === 0 ? true : undefined));

const idsOf = (requests: readonly SeenRequest[]): readonly unknown[] => requests.map(({ headers }) => headers['webhook-id']);

function isSigned({ headers, body }: SeenRequest, key = secret): boolean {
  const request = signedRequest(headers as Readonly<Record<string, string>>, body);
  return request !== undefined && isSignedBy(request, [createSecretKey(Buffer.from(key))]);
}

describe('the message of a webhook', () => {
  it('is a signed POST with the call, and the address for the answer', async () => {
    const { url, requests } = await loopback(ok);
    const webhooks = [hook(`${url}/hooks/approvals?room=1`)];
    const { kernel, state, inbox } = await hookedKernel(webhooks, { baseUrl: 'https://tools.example' });
    await kernel.serve();
    const record = await inbox.add(state, webhooks, { replaces: { id: 'earlier', changed: ['its definition'] } });
    await empty(state);
    expect(requests).to.have.length(1);
    const [request] = requests;
    expect(request).to.include({ method: 'POST', url: '/hooks/approvals?room=1' });
    expect(request?.headers).to.include({ 'content-type': 'application/json', 'webhook-id': `${record.id}-chat` });
    expect(request !== undefined && isSigned(request)).to.equal(true);
    const { status: _, reasons: __, ...rest } = record;
    expect(JSON.parse(request?.body ?? '')).to.deep.equal({
      type: 'approval.waiting',
      approval: { ...rest, reasons: [{ kind: 'rule', message: 'it is a large sum' }] },
      answer: { url: 'https://tools.example/approvals/answer', digest: record.digest },
    });
  });

  it('goes to each webhook, and is signed with both secrets of one', async () => {
    const { url, requests } = await loopback(ok);
    const previousSecret = 'the old secret of the mail service';
    const webhooks = [hook(`${url}/chat`), hook(`${url}/mail`, { name: 'mail', secret: 'the secret of the mail service', previousSecret })];
    const { kernel, state, inbox } = await hookedKernel(webhooks);
    await inbox.add(state, webhooks);
    await kernel.serve();
    await empty(state);
    expect(requests.map((request) => [request.url, isSigned(request, secret), isSigned(request, previousSecret)]).sort()).to.deep.equal([
      ['/chat', true, false],
      ['/mail', false, true],
    ]);
  });

  for (const baseUrl of [undefined, 'http://tools.example'])
    it(`has no address for the answer with ${baseUrl ?? 'no HTTP server'}`, async () => {
      const { url, requests } = await loopback(ok);
      const webhooks = [hook(url)];
      const { kernel, state, inbox } = await hookedKernel(webhooks, baseUrl === undefined ? {} : { baseUrl });
      const { digest } = await inbox.add(state, webhooks);
      await kernel.serve();
      await empty(state);
      expect(JSON.parse(requests[0]?.body ?? '')['answer']).to.deep.equal({ digest });
    });

  it('passes the guard for the host of the operator alone', async () => {
    const { url, requests } = await loopback(ok);
    const webhooks = [hook(url)];
    const { kernel, state, inbox } = await hookedKernel(webhooks, { more: [guardOutbound({ env: {} })] });
    await inbox.add(state, webhooks);
    await kernel.serve();
    await empty(state);
    expect(requests).to.have.length(1);
  });

  it('is not in the store before it is sent: the outbox holds times', async () => {
    const record = waitingRecord();
    const [entry, ...others] = outboxEntries(record, [hook('https://chat.example')]);
    expect(others).to.deep.equal([]);
    expect(entry?.key).to.equal(`hook/chat/${record.id}`);
    expect(JSON.parse(entry?.value ?? '')).to.deep.equal({ expiresAt: record.expiresAt, nextAt: record.createdAt, attempts: 0 });
    expect(entry?.ttlMs).to.equal(3_660_000);
  });
});

describe('the sender of webhooks', () => {
  it('sends again until the receiver takes it, under one id, and logs the failure once', async () => {
    let failures = 6;
    const { url, requests } = await loopback(
      (_, response) => void response.writeHead(failures-- > 0 ? 500 : 200).end('a text of the receiver'),
    );
    const webhooks = [hook(`${url}/path-with-a-token`)];
    const { kernel, state, inbox, log } = await hookedKernel(webhooks);
    await kernel.serve();
    const record = await inbox.add(state, webhooks);
    await empty(state);
    expect(idsOf(requests)).to.deep.equal(Array(7).fill(`${record.id}-chat`));
    expect(requests.every((request) => isSigned(request))).to.equal(true);
    const lines = log.filter(({ message }) => message.includes('webhook')).map(({ level, message }) => `${level} ${message}`);
    expect(lines).to.deep.equal([
      'warn the webhook "chat" failed: it answered 500. Messages are sent again until their approvals expire',
      'info the webhook "chat" takes messages again',
    ]);
    for (const hidden of ['path-with-a-token', secret, 'a text of the receiver', '1000 €'])
      expect(JSON.stringify(log)).to.not.include(hidden);
  });

  it('follows no redirect', async () => {
    const elsewhere = await loopback(ok);
    const { url, requests } = await loopback((_, response) => void response.writeHead(307, { location: elsewhere.url }).end());
    const webhooks = [hook(url)];
    const { kernel, state, inbox, log } = await hookedKernel(webhooks);
    await kernel.serve();
    await inbox.add(state, webhooks);
    await until(() => (requests.length > 2 ? true : undefined));
    expect(elsewhere.requests).to.deep.equal([]);
    expect(JSON.stringify(log)).to.include('it answered 307, and redirects are not followed').and.not.include(elsewhere.url);
  });

  it('sends a message no more after 410', async () => {
    const { url, requests } = await loopback((_, response) => void response.writeHead(410).end());
    const webhooks = [hook(url)];
    const { kernel, state, inbox } = await hookedKernel(webhooks);
    await kernel.serve();
    await inbox.add(state, webhooks);
    await empty(state);
    expect(requests).to.have.length(1);
  });

  it('gives up an attempt without an answer, and tries again', async () => {
    let attempts = 0;
    const { url, requests } = await loopback((_, response) => void (++attempts === 1 || response.writeHead(200).end()));
    const webhooks = [hook(url)];
    const { kernel, state, inbox, log } = await hookedKernel(webhooks, { timing: { timeoutMs: 50 } });
    await kernel.serve();
    await inbox.add(state, webhooks);
    await empty(state);
    expect(requests.length).to.be.above(1);
    expect(JSON.stringify(log)).to.include('it did not answer within 50 ms');
  });

  it('reads little of an answer', async () => {
    const { url, requests } = await loopback((_, response) => {
      response.writeHead(200);
      const more = (): void => void (response.destroyed || response.write('x'.repeat(64 * 1024), () => setImmediate(more)));
      more();
    });
    const webhooks = [hook(url)];
    const { kernel, state, inbox } = await hookedKernel(webhooks);
    await kernel.serve();
    await inbox.add(state, webhooks);
    await empty(state);
    expect(requests).to.have.length(1);
  });

  it('reports where nothing listens without the address', async () => {
    const webhooks = [hook('http://127.0.0.1:1/token-in-the-path')];
    const { kernel, state, inbox, log } = await hookedKernel(webhooks);
    await kernel.serve();
    await inbox.add(state, webhooks);
    await until(() => log.find(({ message }) => message.includes('failed: ')));
    expect(JSON.stringify(log)).to.not.include('token-in-the-path');
  });

  it('drops what no longer waits: decided, expired and erased records', async () => {
    const { url, requests } = await loopback(ok);
    const webhooks = [hook(url)];
    const { kernel, state, inbox } = await hookedKernel(webhooks);
    await inbox.add(state, webhooks, { status: 'approved' });
    await inbox.add(state, webhooks, { expiresAt: Date.now() - 1 });
    inbox.records.delete((await inbox.add(state, webhooks)).id);
    const last = await inbox.add(state, webhooks);
    await kernel.serve();
    await empty(state);
    expect(idsOf(requests)).to.deep.equal([`${last.id}-chat`]);
  });

  it('leaves an entry of a later version alone', async () => {
    const { url, requests } = await loopback(ok);
    const webhooks = [hook(url)];
    const { kernel, state, inbox } = await hookedKernel(webhooks);
    for (const [index, text] of ['not json', '[]', '{"attempts":"2"}'].entries()) await state.set(`hook/chat/later-${index}`, text);
    await inbox.add(state, webhooks);
    await kernel.serve();
    await until(async () => ((await state.list('hook/')).length === 3 ? true : undefined));
    expect(requests).to.have.length(1);
  });

  it('goes on after a failure of the records', async () => {
    const { url, requests } = await loopback(ok);
    const webhooks = [hook(url)];
    let failures = 2;
    const inbox = new FakeInbox();
    const read = async (id: string) => {
      if (failures-- > 0) throw new Error('away');
      return inbox.records.get(id);
    };
    const { kernel, state, log } = await hookedKernel(webhooks, { inbox: Object.assign(inbox, { read }) });
    await inbox.add(state, webhooks);
    await kernel.serve();
    await empty(state);
    expect(requests).to.have.length(1);
    expect(log.filter(({ message }) => message.includes('cannot be read'))).to.have.length(1);
  });

  it('sends to others while one webhook does not answer', async () => {
    const deaf = await loopback(() => {});
    const { url, requests } = await loopback(ok);
    const webhooks = [hook(deaf.url), hook(url, { name: 'mail', secret: 'the secret of the mail service' })];
    const { kernel, state, inbox } = await hookedKernel(webhooks);
    await kernel.serve();
    for (let count = 0; count < 12; count++) await inbox.add(state, webhooks);
    await until(() => (requests.length === 12 ? true : undefined));
    expect(deaf.requests).to.have.length(4);
  });

  it('hands a message that it was sending back when it is closed', async () => {
    const store = await sharedState();
    let isDeaf = true;
    const { url, requests } = await loopback((_, response) => void (isDeaf || response.writeHead(200).end()));
    const webhooks = [hook(url)];
    const first = await hookedKernel(webhooks, { more: [store.plugin()] });
    const second = await hookedKernel(webhooks, { more: [store.plugin()], inbox: first.inbox });
    await first.kernel.serve();
    await first.inbox.add(first.state, webhooks);
    await until(() => (requests.length === 1 ? true : undefined));
    isDeaf = false;
    await first.kernel.close();
    await second.kernel.serve();
    await empty(second.state);
    expect(new Set(idsOf(requests)).size).to.equal(1);
    expect(requests).to.have.length(2);
  });

  it('takes over the entry of a dead process, and leaves that of a living one', async () => {
    const { url, requests } = await loopback(ok);
    const webhooks = [hook(url)];
    const { kernel, state, inbox } = await hookedKernel(webhooks);
    const [living, dead] = [state.join(), state.join()];
    await living.enter();
    const records = [await inbox.add(state, webhooks), await inbox.add(state, webhooks)];
    for (const [index, { id, expiresAt }] of records.entries())
      await state.set(`hook/chat/${id}`, writeEntry({ expiresAt, nextAt: 0, attempts: 1, claimedBy: (index === 0 ? living : dead).id }));
    await kernel.serve();
    await until(() => (requests.length === 1 ? true : undefined));
    expect(idsOf(requests)).to.deep.equal([`${records[1]?.id}-chat`]);
    living.leave();
    await empty(state);
    expect(requests).to.have.length(2);
  });

  it('takes over the entry of a process that stands still', async () => {
    const { url, requests } = await loopback(ok);
    const webhooks = [hook(url)];
    const { kernel, state, inbox } = await hookedKernel(webhooks, {
      change: (store) => ({
        ...store,
        isShared: false,
        join: () => ({ ...store.join(), isDead: async () => false, isStalled: async () => true }),
      }),
    });
    const { id, expiresAt } = await inbox.add(state, webhooks);
    await state.set(`hook/chat/${id}`, writeEntry({ expiresAt, nextAt: 0, attempts: 0, claimedBy: 'stopped.1' }));
    await kernel.serve();
    await empty(state);
    expect(requests).to.have.length(1);
  });

  it('shares the work with other processes: each message is sent once', async () => {
    const store = await sharedState();
    const { url, requests } = await loopback(ok);
    const webhooks = [hook(url)];
    const first = await hookedKernel(webhooks, { more: [store.plugin()] });
    const others = await Promise.all([1, 2].map(() => hookedKernel(webhooks, { more: [store.plugin()], inbox: first.inbox })));
    await Promise.all([first, ...others].map(({ kernel }) => kernel.serve()));
    for (let count = 0; count < 30; count++) await first.inbox.add(first.state, webhooks);
    await empty(first.state);
    expect(new Set(idsOf(requests)).size).to.equal(30);
    expect(requests).to.have.length(30);
  });

  it('leaves messages to a process with an address for the answer', async () => {
    const store = await sharedState();
    const { url, requests } = await loopback(ok);
    const webhooks = [hook(url)];
    const without = await hookedKernel(webhooks, { more: [store.plugin()], timing: { deferMs: 3_600_000 } });
    const withUrl = await hookedKernel(webhooks, { more: [store.plugin()], inbox: without.inbox, baseUrl: 'https://tools.example' });
    await without.kernel.serve();
    await withUrl.kernel.serve();
    for (let count = 0; count < 5; count++) await without.inbox.add(without.state, webhooks);
    await empty(without.state);
    expect(requests.map(({ body }) => JSON.parse(body)['answer'].url)).to.deep.equal(
      Array(5).fill('https://tools.example/approvals/answer'),
    );
  });
});

describe('the delay of a retry', () => {
  it('doubles up to its maximum, with some jitter', () => {
    for (const [attempts, most] of [
      [1, 1000],
      [2, 2000],
      [9, 256_000],
      [10, 300_000],
      [5000, 300_000],
    ] as const) {
      const delay = retryDelayMs(webhookTiming, attempts);
      expect(delay).to.be.within(most * 0.75, most);
    }
  });

  it('is at least what the receiver asks for, and at most an hour', () => {
    expect(retryDelayMs(webhookTiming, 1, 60_000)).to.equal(60_000);
    expect(retryDelayMs(webhookTiming, 1, 86_400_000)).to.equal(3_600_000);
  });
});
