import { expect } from 'chai';
import { json } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { type AnswerSlack, calls, channel, queryOf, slackToolkit, ts } from './slack-toolkit.ts';

interface Listed {
  readonly response_metadata?: { readonly next_cursor?: string };
}

/** The tools that go on with a cursor, and where their lists are. */
const lists = [
  { tool: 'slack_list_channels', key: 'channels' },
  { tool: 'slack_list_users', key: 'members' },
  { tool: 'slack_get_channel_history', key: 'messages' },
  { tool: 'slack_get_thread_replies', key: 'messages' },
] as const;

const total = 450;

function entries(start: number, count: number): { id: string; ts: string }[] {
  const length = Math.max(0, Math.min(count, total - start));
  return Array.from({ length }, (_, index) => ({ id: `X${start + index}`, ts: `1718${String(start + index).padStart(6, '0')}.000100` }));
}

/** A list of 450 entries; the cursor is the number of the first one, hidden as Slack hides it. */
function cursored(key: string, most = 1000): AnswerSlack {
  return ({ cursor, limit = '100' }, response) => {
    const start = cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64').toString().split(':')[1]);
    const found = entries(start, Math.min(Number(limit), most));
    const next = start + found.length;
    const isEnd = next >= total;
    json(response, {
      ok: true,
      [key]: found,
      has_more: !isEnd,
      response_metadata: { next_cursor: isEnd ? '' : Buffer.from(`next:${next}`).toString('base64') },
    });
  };
}

function idsOf(output: unknown, key: string): readonly string[] {
  return (output as Readonly<Record<string, readonly { id: string }[]>>)[key]?.map(({ id }) => id) ?? [];
}

describe('@toolkit/slack: pages with a cursor', () => {
  const all = entries(0, total).map(({ id }) => id);

  for (const { tool, key } of lists) {
    it(`of ${tool} are collected up to max_items, 200 in a request, and the cursor leads on behind them`, async () => {
      const { toolkit, requests } = await slackToolkit(cursored(key));
      const output = (await toolkit.execute(tool, { ...calls[tool], max_items: 425 })) as Listed;
      expect(idsOf(output, key)).to.deep.equal(all.slice(0, 425));
      expect(requests.map((request) => queryOf(request)['limit'])).to.deep.equal(['200', '200', '25']);
      const cursor = output.response_metadata?.next_cursor;
      const rest = (await toolkit.execute(tool, { ...calls[tool], max_items: 1000, cursor })) as Listed;
      expect(idsOf(rest, key)).to.deep.equal(all.slice(425));
      expect(rest.response_metadata?.next_cursor).to.equal('');
    });

    it(`of ${tool} come one by one without max_items`, async () => {
      const { toolkit, requests } = await slackToolkit(cursored(key));
      const first = (await toolkit.execute(tool, { ...calls[tool], limit: 300 })) as Listed;
      const second = await toolkit.execute(tool, { ...calls[tool], limit: 300, cursor: first.response_metadata?.next_cursor });
      expect([...idsOf(first, key), ...idsOf(second, key)]).to.deep.equal(all);
      expect(requests).to.have.lengthOf(2);
    });
  }

  it('are collected whole when Slack gives fewer than it was asked for', async () => {
    const { toolkit, requests } = await slackToolkit(cursored('messages', 15));
    const output = await toolkit.execute('slack_get_channel_history', { channel, max_items: 40 });
    expect(idsOf(output, 'messages')).to.deep.equal(all.slice(0, 40));
    expect(requests.map((request) => queryOf(request)['limit'])).to.deep.equal(['40', '25', '10']);
  });

  it('keep the other conditions on every request', async () => {
    const { toolkit, requests } = await slackToolkit(cursored('messages', 15));
    await toolkit.execute('slack_get_thread_replies', { channel, ts, oldest: '1718035200.000001', inclusive: true, max_items: 20 });
    const conditions = { channel, ts, oldest: '1718035200.000001', inclusive: 'true' };
    expect(requests.map((request) => queryOf(request))).to.deep.equal([
      { ...conditions, limit: '20' },
      { ...conditions, limit: '5', cursor: Buffer.from('next:15').toString('base64') },
    ]);
  });

  const ends = [undefined, {}, { next_cursor: '' }, { next_cursor: null }];
  for (const metadata of ends) {
    it(`end at response_metadata ${JSON.stringify(metadata) ?? 'left out'}`, async () => {
      const { toolkit, requests } = await slackToolkit((_query, response) =>
        json(response, { ok: true, messages: [{ ts }], has_more: false, response_metadata: metadata }),
      );
      await toolkit.execute('slack_get_channel_history', { channel, max_items: 5 });
      expect(requests).to.have.lengthOf(1);
    });
  }

  it('that a limit stops say where to go on, and after how long', async () => {
    let isLimited = true;
    const page = cursored('messages', 15);
    const { toolkit } = await slackToolkit((query, response, request) => {
      if (query['cursor'] === undefined || !isLimited) page(query, response, request);
      else json(response, { ok: false, error: 'ratelimited' }, 429, { 'retry-after': '60' });
    });
    const call = { channel, max_items: 40 };
    const { details } = await rejection(toolkit.execute('slack_get_channel_history', call), 'RATE_LIMITED');
    expect(details).to.include({ partial: true, items: 15, retryAfterMs: 60_000 });
    isLimited = false;
    const rest = await toolkit.execute('slack_get_channel_history', { ...call, max_items: 25, cursor: details['resume'] });
    expect(idsOf(rest, 'messages')).to.deep.equal(all.slice(15, 40));
  });

  it('of which Slack refuses one with 200 end with its error, not with a part of the list', async () => {
    const page = cursored('channels', 15);
    const { toolkit } = await slackToolkit((query, response, request) => {
      if (query['cursor'] === undefined) page(query, response, request);
      else json(response, { ok: false, error: 'invalid_cursor' });
    });
    const { details } = await rejection(toolkit.execute('slack_list_channels', { max_items: 40 }), 'BAD_REQUEST');
    expect(details).to.include({ providerCode: 'invalid_cursor', partial: true, items: 15 });
  });
});

describe('@toolkit/slack: pages of the search', () => {
  const all = entries(0, total).map(({ id }) => id);

  /** Counted pages, 20 matches each unless asked otherwise. */
  const counted: AnswerSlack = ({ page = '1', count = '20', query }, response) => {
    const [number, size] = [Number(page), Number(count)];
    const paging = { count: size, total, page: number, pages: Math.ceil(total / size) };
    json(response, { ok: true, query, messages: { total, matches: entries((number - 1) * size, size), paging } });
  };

  interface Found {
    readonly messages: { readonly matches: readonly { readonly id: string }[] };
    readonly next: { readonly page: number; readonly count?: number } | null;
  }
  const matchesOf = ({ messages }: Found): readonly string[] => messages.matches.map(({ id }) => id);

  it('are collected up to max_items, and next leads to the end without a gap or a repetition', async () => {
    const { toolkit, requests } = await slackToolkit(counted);
    const first = (await toolkit.execute('slack_search_messages', { query: 'x', max_items: 230 })) as unknown as Found;
    expect(matchesOf(first)).to.deep.equal(all.slice(0, 230));
    expect(requests).to.have.lengthOf(3);
    const rest = (await toolkit.execute('slack_search_messages', { query: 'x', max_items: 1000, ...first.next })) as unknown as Found;
    expect(matchesOf(rest)).to.deep.equal(all.slice(230));
    expect(rest.next).to.equal(null);
    for (const request of requests) expect(Number(queryOf(request)['count'])).to.be.within(1, 100);
  });

  it('come one by one with what next says', async () => {
    const { toolkit } = await slackToolkit(counted);
    const first = (await toolkit.execute('slack_search_messages', { query: 'x', count: 90 })) as unknown as Found;
    expect(first.next).to.deep.equal({ page: 2, count: 90 });
    const seen = [...matchesOf(first)];
    for (let { next } = first; next !== null; ) {
      const found = (await toolkit.execute('slack_search_messages', { query: 'x', ...next })) as unknown as Found;
      seen.push(...matchesOf(found));
      next = found.next;
    }
    expect(seen).to.deep.equal(all);
  });
});
