import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { json, type SeenRequest } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { mailchimpToolkit } from './mailchimp-toolkit.ts';

interface Listed {
  readonly members: readonly { readonly id: string }[];
  readonly total_items?: number;
}

const idOf = (index: number): string => String(index).padStart(32, '0');
const everyId = (count: number): string[] => Array.from({ length: count }, (_, index) => idOf(index));
const idsOf = ({ members }: Listed): string[] => members.map(({ id }) => id);

/** An audience of so many members, in pages by count and offset. `failsAt`: the offset that is refused. */
function audience(total: number, failsAt?: number) {
  return ({ url }: SeenRequest, response: ServerResponse): void => {
    const { searchParams } = new URL(url, 'http://mailchimp.invalid');
    const offset = Number(searchParams.get('offset') ?? 0);
    const count = Number(searchParams.get('count') ?? 10);
    if (count > 1000 || offset === failsAt) return void json(response, { title: 'Too Many Requests', detail: 'Slow down.' }, 429);
    const members = everyId(total).slice(offset, offset + count);
    const fields = searchParams.get('fields')?.split(',') ?? ['total_items'];
    json(response, { members: members.map((id) => ({ id })), ...(fields.includes('total_items') ? { total_items: total } : {}) });
  };
}

const list = { list_id: 'a1b2c3d4e5' };

describe('@toolkit/mailchimp: lists', () => {
  it('come 10 at a time where nothing else is said, with how many there are', async () => {
    const { toolkit, requests } = await mailchimpToolkit(audience(25));
    const listed = (await toolkit.execute('mailchimp_get_list_members', list)) as unknown as Listed;
    expect(listed.total_items).to.equal(25);
    expect(idsOf(listed)).to.deep.equal(everyId(10));
    expect(requests[0]?.url).to.equal('/3.0/lists/a1b2c3d4e5/members');
  });

  const wholes = [
    { what: 'whole', parameters: {} },
    { what: 'whole without total_items', parameters: { fields: ['members.id'] } },
  ];
  for (const { what, parameters } of wholes) {
    it(`come ${what}, a thousand at a time`, async () => {
      const { toolkit, requests } = await mailchimpToolkit(audience(2300));
      const listed = (await toolkit.execute('mailchimp_get_list_members', {
        ...list,
        ...parameters,
        max_items: 5000,
      })) as unknown as Listed;
      expect(idsOf(listed)).to.deep.equal(everyId(2300));
      expect(requests.map(({ url }) => new URLSearchParams(url.split('?')[1]).get('offset'))).to.deep.equal([null, '1000', '2000']);
    });
  }

  it('go on after as many as were wanted', async () => {
    const { toolkit } = await mailchimpToolkit(audience(2300));
    const first = (await toolkit.execute('mailchimp_get_list_members', { ...list, max_items: 1234 })) as unknown as Listed;
    const more = { ...list, offset: first.members.length, max_items: 5000 };
    const rest = (await toolkit.execute('mailchimp_get_list_members', more)) as unknown as Listed;
    expect(idsOf(first)).to.have.lengthOf(1234);
    expect([...idsOf(first), ...idsOf(rest)]).to.deep.equal(everyId(2300));
  });

  it('say where they failed', async () => {
    const { toolkit } = await mailchimpToolkit(audience(2300, 1000));
    const error = await rejection(toolkit.execute('mailchimp_get_list_members', { ...list, max_items: 2300 }), 'RATE_LIMITED');
    expect(error.details).to.include({ partial: true, items: 1000, resume: 1000 });
  });

  it('name several fields in one value with commas', async () => {
    const { toolkit, requests } = await mailchimpToolkit((_, response) => json(response, { lists: [] }));
    await toolkit.execute('mailchimp_get_lists', { fields: ['lists.id', 'lists.stats.member_count'], exclude_fields: ['lists._links'] });
    expect(requests[0]?.url).to.equal('/3.0/lists?fields=lists.id,lists.stats.member_count&exclude_fields=lists._links');
  });
});
