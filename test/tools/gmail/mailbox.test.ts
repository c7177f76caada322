import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { json, type SeenRequest } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { packAgainst } from '../packs.ts';
import { token } from './sent-mail.ts';

const env = { GMAIL_ACCESS_TOKEN: token };

interface Listed {
  readonly messages?: readonly { readonly id: string }[];
  readonly nextPageToken?: string;
}

interface MailboxOptions {
  /** The most that a page holds, whatever is asked for. */
  readonly pageSize: number;
  /** Answers to requests by their number from 0, in place of a page. */
  readonly instead?: (request: number, response: ServerResponse) => boolean;
}

/** A mailbox of messages 0 to count - 1. Without any left, the answer has no list at all, as that of Gmail. */
async function mailbox(count: number, { pageSize, instead = () => false }: MailboxOptions) {
  let number = 0;
  const answer = ({ url }: SeenRequest, response: ServerResponse): void => {
    if (instead(number++, response)) return;
    const query = new URL(url, 'http://gmail').searchParams;
    const start = Number(query.get('pageToken')?.slice(1) ?? 0);
    const end = Math.min(count, start + Math.min(pageSize, Number(query.get('maxResults') ?? 100)));
    const messages = Array.from({ length: end - start }, (_, index) => ({ id: `m${start + index}`, threadId: `t${start + index}` }));
    json(response, {
      ...(messages.length === 0 ? {} : { messages }),
      ...(end < count ? { nextPageToken: `p${end}` } : {}),
      resultSizeEstimate: 201,
    });
  };
  return packAgainst('gmail', answer, { env });
}

function idsOf(listed: unknown): string[] {
  return ((listed as Listed).messages ?? []).map(({ id }) => id);
}

function range(start: number, end: number): string[] {
  return Array.from({ length: end - start }, (_, index) => `m${start + index}`);
}

describe('@toolkit/gmail: mailboxes', () => {
  it('are listed to their end, however few messages a page has', async () => {
    const { toolkit, requests } = await mailbox(7, { pageSize: 3 });
    const listed = await toolkit.execute('gmail_list_messages', { label_ids: ['INBOX'], max_items: 1000 });
    expect(idsOf(listed)).to.deep.equal(range(0, 7));
    expect(listed).to.not.have.property('nextPageToken');
    expect(requests.map(({ url }) => new URL(url, 'http://gmail').search)).to.deep.equal([
      '?labelIds=INBOX&maxResults=500',
      '?labelIds=INBOX&maxResults=500&pageToken=p3',
      '?labelIds=INBOX&maxResults=500&pageToken=p6',
    ]);
  });

  it('are gone on with where a call ended, and no message is lost', async () => {
    const { toolkit } = await mailbox(7, { pageSize: 3 });
    const first = (await toolkit.execute('gmail_list_messages', { max_items: 4 })) as Listed;
    const rest = await toolkit.execute('gmail_list_messages', { page_token: first.nextPageToken, max_items: 1000 });
    expect([...idsOf(first), ...idsOf(rest)]).to.deep.equal(range(0, 7));
  });

  it('are gone on with where a call failed', async () => {
    const isTooMuch = (number: number, response: ServerResponse): boolean => {
      if (number !== 2) return false;
      json(response, { error: { code: 429, message: 'Rate Limit Exceeded' } }, 429);
      return true;
    };
    const { toolkit } = await mailbox(7, { pageSize: 3, instead: isTooMuch });
    const error = await rejection(toolkit.execute('gmail_list_messages', { max_items: 1000 }), 'RATE_LIMITED');
    expect(error.details).to.include({ partial: true, items: 6, resume: 'p6' });
    expect(idsOf(await toolkit.execute('gmail_list_messages', { page_token: 'p6', max_items: 1000 }))).to.deep.equal(['m6']);
  });

  for (const parameters of [{}, { max_items: 5 }]) {
    it(`may be empty, with ${JSON.stringify(parameters)}`, async () => {
      const { toolkit } = await mailbox(0, { pageSize: 3 });
      const listed = await toolkit.execute('gmail_list_messages', { q: 'subject:"東京 & Köln"', ...parameters });
      expect([idsOf(listed), (listed as Listed).nextPageToken]).to.deep.equal([[], undefined]);
    });
  }
});
