import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { apiVersion, definePlugin, type PluginApi, type StateStore, ToolkitError } from '../../../../kernel/index.ts';
import { addWebhooks, type WebhookOptions } from '../../../../plugins/approvals/webhook/index.ts';
import { send, wireServer } from '../../mcp/support/wire.ts';
import { FakeInbox, type Signing, secret, signed, waitingRecord } from './records.ts';

const chat: WebhookOptions = { name: 'chat', url: 'http://127.0.0.1:1/', secret };
const mail: WebhookOptions = {
  name: 'mail',
  url: 'http://127.0.0.1:1/',
  secret: 'the secret of the mail service',
  previousSecret: 'the old secret of the mail service',
};

interface Site {
  readonly inbox: FakeInbox;
  readonly logged: () => string;
  /** Sends a signed answer. A text is sent as it is. */
  answer(body: unknown, signing?: Signing, more?: Readonly<Record<string, string | undefined>>): Promise<Reply>;
}

interface Reply {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An HTTP server with the route, before records in memory. */
async function site(change: (state: StateStore) => StateStore = (state) => state): Promise<Site> {
  const inbox = new FakeInbox();
  const hooked = definePlugin({
    name: 'approvals',
    apiVersion,
    apply: (api) => void addWebhooks(Object.create(api, { state: { value: change(api.state) } }) as PluginApi, [chat, mail], inbox),
  })();
  const { port, records } = await wireServer({ more: [hooked] });
  return {
    inbox,
    logged: () => JSON.stringify(records),
    answer: async (given, signing, more = {}) => {
      const body = typeof given === 'string' ? given : JSON.stringify(given);
      const headers = { authorization: undefined, accept: undefined, ...signed(body, signing), ...more };
      const reply = await send(port, { path: '/approvals/answer', headers, body });
      return { status: reply.status, type: reply.headers['content-type'], body: parsed(reply.body) };
    },
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return { text };
  }
}

describe('the answer of a webhook', () => {
  it('approves the record that it names', async () => {
    const { inbox, answer } = await site();
    const { id, digest } = addTo(inbox);
    const { status, type, body } = await answer({ approval: id, digest, decision: 'approve', reason: 'it is fine' });
    expect(status).to.equal(200);
    expect(type).to.equal('application/json; charset=utf-8');
    expect(body).to.deep.include({ approval: id, status: 'approved' });
    const by = { way: 'webhook', name: 'chat' };
    expect(inbox.answers).to.deep.equal([[id, { approve: true, by, digest, reason: 'it is fine' }]]);
    expect(inbox.rejected).to.deep.equal([]);
  });

  it('refuses the record, and later calls for a while', async () => {
    const { inbox, answer } = await site();
    const { id, digest } = addTo(inbox);
    expect((await answer({ approval: id, digest, decision: 'refuse', hold: 'tool' })).body['status']).to.equal('refused');
    expect(inbox.answers[0]?.[1]).to.deep.equal({ approve: false, by: { way: 'webhook', name: 'chat' }, digest, hold: 'tool' });
  });

  it('is of the webhook whose secret has signed it, the previous one too', async () => {
    const { inbox, answer } = await site();
    for (const [key, name] of [
      [secret, 'chat'],
      [mail.secret, 'mail'],
      [mail.previousSecret, 'mail'],
    ] as const) {
      const { id, digest } = addTo(inbox);
      expect((await answer({ approval: id, digest, decision: 'approve' }, { key: key ?? '' })).status).to.equal(200);
      expect(inbox.answers.at(-1)?.[1].by).to.deep.equal({ way: 'webhook', name });
    }
  });

  it('comes too late for a decided record, and says who decided what', async () => {
    const { inbox, answer } = await site();
    const { id, digest } = addTo(inbox);
    await answer({ approval: id, digest, decision: 'refuse' }, { key: mail.secret });
    const { status, body } = await answer({ approval: id, digest, decision: 'approve' });
    expect(status).to.equal(409);
    expect(body['error']).to.equal(`The approval "${id}" is decided: mail was first.`);
    expect(body['decided']).to.deep.include({ status: 'refused' });
    expect(inbox.records.get(id)?.status).to.equal('refused');
    // The inbox has reported it.
    expect(inbox.rejected).to.deep.equal([]);
  });

  it('about another digest changes nothing', async () => {
    const { inbox, answer } = await site();
    const { id } = addTo(inbox);
    expect((await answer({ approval: id, digest: 'c'.repeat(64), decision: 'approve' })).status).to.equal(409);
    expect(inbox.records.get(id)?.status).to.equal('waiting');
  });

  it('about no record is 404', async () => {
    const { answer } = await site();
    expect((await answer({ approval: 'none-1', digest: 'c'.repeat(64), decision: 'approve' })).status).to.equal(404);
  });

  const id = 'abc-1';
  const good = { approval: id, digest: 'c'.repeat(64), decision: 'approve' };
  const malformed: readonly (readonly [what: string, body: unknown])[] = [
    ['nothing', ''],
    ['no JSON', '{"approval":'],
    ['a list', [good]],
    ['null', null],
    ['no digest', { approval: id, decision: 'approve' }],
    ['a digest in capitals', { ...good, digest: 'C'.repeat(64) }],
    ['a digest that is a list', { ...good, digest: ['c'.repeat(64)] }],
    ['no decision', { approval: id, digest: good.digest }],
    ['a decision that is true', { ...good, decision: true }],
    ['another decider', { ...good, by: { way: 'console', name: 'root' } }],
    ['a prototype', `{"__proto__":{"approval":"${id}"},"digest":"${good.digest}","decision":"approve"}`],
    ['a reason of 1001 characters', { ...good, reason: 'a'.repeat(1001) }],
    ['an unknown hold', { ...good, decision: 'refuse', hold: 'all' }],
    ['an approval that holds', { ...good, hold: 'tool' }],
  ];
  for (const [what, body] of malformed)
    it(`with ${what} is refused: 400`, async () => {
      const { inbox, answer } = await site();
      const reply = await answer(body);
      expect(reply.status).to.equal(400);
      expect(reply.body['error']).to.match(/^The answer cannot be read: /);
      expect(inbox.answers).to.deep.equal([]);
      expect(inbox.rejected).to.have.length(1);
      expect(inbox.rejected[0]).to.deep.include({ event: 'rejected', by: { way: 'webhook', name: 'chat' } });
    });

  const ageOf = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;
  const unsigned: readonly (readonly [what: string, signing: () => Signing, more?: Readonly<Record<string, string | undefined>>])[] = [
    ['another secret', () => ({ key: 'a secret of somebody else altogether' })],
    ['an empty secret', () => ({ key: '' })],
    ['no signature', () => ({}), { 'webhook-signature': undefined }],
    ['no id', () => ({}), { 'webhook-id': undefined }],
    ['no time', () => ({}), { 'webhook-timestamp': undefined }],
    ['the id of another message', () => ({}), { 'webhook-id': 'another' }],
    ['the time of another message', () => ({ timestamp: ageOf(-120) }), { 'webhook-timestamp': String(ageOf(-60)) }],
    ['the word of another scheme', () => ({}), { 'webhook-signature': 'sha256=0123' }],
    ['a signature of nothing', () => ({}), { 'webhook-signature': 'v1,' }],
  ];
  for (const [what, signing, more] of unsigned)
    it(`with ${what} is refused: 401, and nothing is said about webhooks`, async () => {
      const { inbox, answer } = await site();
      const record = addTo(inbox);
      const reply = await answer({ approval: record.id, digest: record.digest, decision: 'approve' }, signing(), more);
      expect(reply).to.deep.include({ status: 401, body: { error: 'The answer is not signed by a webhook of this server.' } });
      expect(inbox.answers).to.deep.equal([]);
      expect(inbox.rejected).to.deep.equal([
        { event: 'rejected', id: record.id, reason: 'The answer is not signed by a webhook of this server.' },
      ]);
    });

  for (const [what, seconds] of [
    ['old', -310],
    ['early', 310],
    ['of the year 1970', -Math.floor(Date.now() / 1000) + 1],
  ] as const)
    it(`that is signed and ${what} is refused: 401`, async () => {
      const { inbox, answer } = await site();
      const record = addTo(inbox);
      const reply = await answer({ approval: record.id, digest: record.digest, decision: 'approve' }, { timestamp: ageOf(seconds) });
      expect(reply.status).to.equal(401);
      expect(reply.body['error']).to.include('more than 5 minutes');
      expect(inbox.answers).to.deep.equal([]);
      expect(inbox.rejected[0]).to.deep.include({ event: 'rejected', id: record.id, by: { way: 'webhook', name: 'chat' } });
    });

  it('never reports a text that is no id', async () => {
    const { inbox, answer } = await site();
    for (const approval of ['<script>', 'a b', 'x'.repeat(101), 5, null])
      await answer({ approval, decision: 'approve' }, { key: 'a secret of somebody else altogether' });
    await answer('not json', { key: 'a secret of somebody else altogether' });
    expect(new Set(inbox.rejected.map((event) => event.id))).to.deep.equal(new Set(['']));
  });

  it('counts once: a repeated message is refused, also for another record', async () => {
    const { inbox, answer } = await site();
    const [one, two] = [addTo(inbox), addTo(inbox)];
    const signing = { id: randomUUID() };
    expect((await answer({ approval: one.id, digest: one.digest, decision: 'refuse' }, signing)).status).to.equal(200);
    for (const record of [one, two]) {
      const reply = await answer({ approval: record.id, digest: record.digest, decision: 'approve' }, signing);
      expect(reply.status).to.equal(409);
      expect(reply.body['error']).to.include('"webhook-id"');
    }
    expect(inbox.answers).to.have.length(1);
    expect(inbox.rejected.map(({ event, id: rejected }) => [event, rejected])).to.deep.equal([
      ['rejected', one.id],
      ['rejected', two.id],
    ]);
    // Ids are those of a sender.
    expect((await answer({ approval: two.id, digest: two.digest, decision: 'approve' }, { ...signing, key: mail.secret })).status).to.equal(
      200,
    );
  });

  it('decides once when twenty of one message arrive together', async () => {
    const { inbox, answer } = await site();
    const { id: approval, digest } = addTo(inbox);
    const signing = { id: randomUUID() };
    const replies = await Promise.all(Array.from({ length: 20 }, () => answer({ approval, digest, decision: 'approve' }, signing)));
    expect(replies.filter(({ status }) => status === 200)).to.have.length(1);
    expect(replies.filter(({ status }) => status === 409)).to.have.length(19);
    expect(inbox.answers).to.have.length(1);
  });

  it('may be sent again when the store had failed', async () => {
    const { inbox, answer } = await site();
    const { id: approval, digest } = addTo(inbox);
    const signing = { id: randomUUID() };
    inbox.failure = new ToolkitError('STATE_UNAVAILABLE', 'The store is away.');
    expect((await answer({ approval, digest, decision: 'approve' }, signing)).status).to.equal(503);
    expect(inbox.rejected).to.have.length(1);
    expect((await answer({ approval, digest, decision: 'approve' }, signing)).status).to.equal(200);
  });

  it('is refused, not taken, while the store cannot remember its id', async () => {
    const { inbox, answer } = await site((state) => ({
      ...state,
      isShared: true,
      compareAndSet: async () => {
        throw new ToolkitError('STATE_UNAVAILABLE', 'The store is away.');
      },
    }));
    const { id: approval, digest } = addTo(inbox);
    expect((await answer({ approval, digest, decision: 'approve' })).status).to.equal(503);
    expect(inbox.answers).to.deep.equal([]);
  });

  it('says nothing of a failure of the server', async () => {
    const { inbox, answer, logged } = await site();
    const { id: approval, digest } = addTo(inbox);
    inbox.failure = new Error('the disk at /var/secret is full');
    const reply = await answer({ approval, digest, decision: 'approve' });
    expect(reply).to.deep.include({ status: 500, body: { error: 'The server failed. Send the answer again later.' } });
    expect(logged()).to.include('the answer of a webhook failed');
  });

  it('is never taken from a browser, from another host, or as a form', async () => {
    const { inbox, answer } = await site();
    const { id: approval, digest } = addTo(inbox);
    const body = { approval, digest, decision: 'approve' };
    expect((await answer(body, {}, { origin: 'https://evil.example' })).status).to.equal(403);
    expect((await answer(body, {}, { host: 'evil.example' })).status).to.equal(403);
    expect((await answer(body, {}, { 'content-type': 'application/x-www-form-urlencoded' })).status).to.equal(415);
    expect((await answer({ ...body, reason: 'a'.repeat(70_000) })).status).to.equal(413);
    expect(inbox.answers).to.deep.equal([]);
  });

  it('and its secret are in no log', async () => {
    const { inbox, answer, logged } = await site();
    const { id: approval, digest } = addTo(inbox);
    await answer({ approval, digest, decision: 'approve', reason: 'seen by ann' });
    await answer({ approval, digest, decision: 'approve', reason: 'seen by ann' }, { key: 'a secret of somebody else altogether' });
    for (const hidden of [secret, 'seen by ann', digest]) expect(logged()).to.not.include(hidden);
  });
});

function addTo(inbox: FakeInbox) {
  const record = waitingRecord();
  inbox.records.set(record.id, record);
  return record;
}
