import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { json, type SeenRequest } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { messagesPath, twilioToolkit } from './twilio-toolkit.ts';

interface Listed {
  readonly messages: readonly { readonly sid: string }[];
  readonly next: Readonly<Record<string, unknown>> | null;
}

const sidOf = (index: number): string => `SM${String(index).padStart(32, '0')}`;

/** Messages to one number, in pages whose token must fit, as Twilio has them. `failsAt`: the page that is refused. */
function outbox(count: number, failsAt?: number) {
  return ({ url }: SeenRequest, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(url, 'http://twilio.invalid');
    const page = Number(searchParams.get('Page') ?? 0);
    const size = Number(searchParams.get('PageSize') ?? 50);
    const start = page * size;
    const isKnown = pathname === messagesPath && searchParams.get('To') === '+15558675310';
    if (!isKnown || (page > 0 && searchParams.get('PageToken') !== `PA${sidOf(start - 1)}`))
      return void json(response, { code: 20001, message: `Invalid page token for ${url}` }, 400);
    if (page === failsAt) return void json(response, { code: 20429, message: 'Too Many Requests' }, 429, { 'retry-after': '7' });
    const end = Math.min(count, start + size);
    const messages = Array.from({ length: end - start }, (_, index) => ({ sid: sidOf(start + index), status: 'delivered' }));
    const query = new URLSearchParams({
      To: '+15558675310',
      PageSize: String(size),
      Page: String(page + 1),
      PageToken: `PA${sidOf(end - 1)}`,
    });
    json(response, { messages, page, page_size: size, next_page_uri: end < count ? `${messagesPath}?${query}` : null });
  };
}

const filter = { to: '+15558675310' };
const everySid = (count: number): string[] => Array.from({ length: count }, (_, index) => sidOf(index));
const sidsOf = ({ messages }: Listed): string[] => messages.map(({ sid }) => sid);

describe('@toolkit/twilio: lists', () => {
  it('come page by page, each with the parameters of the next one, to the end', async () => {
    const { toolkit, requests } = await twilioToolkit(outbox(120));
    const seen: string[] = [];
    for (let next: Listed['next'] = {}; next !== null; ) {
      const listed = (await toolkit.execute('twilio_list_messages', { ...filter, ...next })) as unknown as Listed;
      seen.push(...sidsOf(listed));
      next = listed.next;
    }
    expect(seen).to.deep.equal(everySid(120));
    expect(requests).to.have.lengthOf(3);
  });

  it('come whole in as few requests as possible, with the filters in each', async () => {
    const { toolkit, requests } = await twilioToolkit(outbox(2300));
    const listed = (await toolkit.execute('twilio_list_messages', { ...filter, max_items: 5000 })) as unknown as Listed;
    expect(sidsOf(listed)).to.deep.equal(everySid(2300));
    expect(listed.next).to.equal(null);
    expect(requests).to.have.lengthOf(3);
    for (const { url } of requests) expect(url).to.include('To=%2B15558675310');
  });

  it('go on after as many as were wanted', async () => {
    const { toolkit } = await twilioToolkit(outbox(2300));
    const first = (await toolkit.execute('twilio_list_messages', { ...filter, max_items: 1500 })) as unknown as Listed;
    expect(first.next).to.deep.equal({ page: 2, page_token: `PA${sidOf(1499)}`, page_size: 750 });
    const rest = (await toolkit.execute('twilio_list_messages', { ...filter, ...first.next, max_items: 1500 })) as unknown as Listed;
    expect([...sidsOf(first), ...sidsOf(rest)]).to.deep.equal(everySid(2300));
    expect(rest.next).to.equal(null);
  });

  it('say where they failed, and how long to wait', async () => {
    const { toolkit } = await twilioToolkit(outbox(2300, 1));
    const error = await rejection(toolkit.execute('twilio_list_messages', { ...filter, max_items: 1500 }), 'RATE_LIMITED');
    expect(error.details).to.deep.include({
      partial: true,
      items: 750,
      retryAfterMs: 7000,
      resume: { page: 1, page_token: `PA${sidOf(749)}`, page_size: 750 },
    });
  });

  it('ask for days with < and > in the name, percent-encoded', async () => {
    const { toolkit, requests } = await twilioToolkit((_, response) => json(response, { messages: [], next_page_uri: null }));
    const days = { date_sent: '2026-01-05', date_sent_before: '2026-02-01', date_sent_after: '2026-01-01T08:00:00Z' };
    expect(await toolkit.execute('twilio_list_messages', days)).to.deep.equal({ messages: [], next_page_uri: null, next: null });
    expect(requests[0]?.url).to.equal(`${messagesPath}?DateSent=2026-01-05&DateSent%3C=2026-02-01&DateSent%3E=2026-01-01T08%3A00%3A00Z`);
  });
});
