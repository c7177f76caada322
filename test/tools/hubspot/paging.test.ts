import { expect } from 'chai';
import type { Toolkit } from '../../../plugins/toolkit/index.ts';
import { json, type SeenRequest } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { type CrmRecord, hubspotToolkit, record } from './hubspot-toolkit.ts';

interface Page {
  readonly results: readonly CrmRecord[];
  readonly paging?: { readonly next: { readonly after: string } };
}

/** Contacts 1 to 230. As in HubSpot the cursor is the id that comes next; `failsAt` is the one with which the service fails. */
function contacts({ failsAt }: { failsAt?: string } = {}): ReturnType<typeof hubspotToolkit> {
  return hubspotToolkit(({ url }, response) => {
    const { searchParams } = new URL(url, 'http://localhost');
    const after = searchParams.get('after') ?? '1';
    const limit = Number(searchParams.get('limit') ?? 10);
    if (after === failsAt) return json(response, { status: 'error', message: 'Service unavailable', category: 'UNAVAILABLE' }, 503);
    const first = Number(after);
    const end = Math.min(first + limit, 231);
    const results = Array.from({ length: end - first }, (_, index) => record(String(first + index)));
    return json(response, {
      results,
      ...(end === 231 ? {} : { paging: { next: { after: String(end), link: 'https://api.hubapi.com' } } }),
    });
  });
}

async function list(toolkit: Toolkit, parameters: Readonly<Record<string, unknown>>): Promise<Page> {
  return (await toolkit.execute('hubspot_list_contacts', parameters)) as unknown as Page;
}

const queries = (requests: readonly SeenRequest[]): string[] => requests.map(({ url }) => new URL(url, 'http://localhost').search);

const ids = ({ results }: Page): number[] => results.map(({ id }) => Number(id));

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('@toolkit/hubspot: pages', () => {
  it('come one at a time without max_items, of the size that HubSpot chooses', async () => {
    const { toolkit, requests } = await contacts();
    const page = await list(toolkit, {});
    expect(ids(page)).to.deep.equal(upTo(1, 10));
    expect(page.paging?.next.after).to.equal('11');
    expect(queries(requests)).to.deep.equal(['']);
  });

  it('are read to the end, and the last answer says that nothing follows', async () => {
    const { toolkit, requests } = await contacts();
    const all = await list(toolkit, { max_items: 1000 });
    expect(ids(all)).to.deep.equal(upTo(1, 230));
    expect(all).to.not.have.property('paging');
    expect(queries(requests)).to.deep.equal(['?limit=100', '?limit=100&after=101', '?limit=100&after=201']);
  });

  it('go on exactly where max_items ended', async () => {
    const { toolkit, requests } = await contacts();
    const first = await list(toolkit, { max_items: 120 });
    const rest = await list(toolkit, { max_items: 120, after: first.paging?.next.after });
    expect([...ids(first), ...ids(rest)]).to.deep.equal(upTo(1, 230));
    expect(queries(requests)).to.deep.equal(['?limit=100', '?limit=20&after=101', '?limit=100&after=121', '?limit=20&after=221']);
  });

  it('are all asked for the same properties and associations', async () => {
    const { toolkit, requests } = await contacts();
    const wanted = { properties: ['email', 'phone'], associations: ['deals'], archived: false };
    await toolkit.execute('hubspot_list_contacts', { ...wanted, max_items: 101 });
    const same = 'properties=email&properties=phone&associations=deals&archived=false';
    expect(queries(requests)).to.deep.equal([`?limit=100&${same}`, `?limit=1&after=101&${same}`]);
  });

  it('that fail half-way say where to go on', async () => {
    const { toolkit } = await contacts({ failsAt: '201' });
    const error = await rejection(toolkit.execute('hubspot_list_contacts', { max_items: 1000 }), 'UPSTREAM_UNAVAILABLE');
    expect(error.details).to.deep.include({ partial: true, items: 200, resume: '201', status: 503 });
    expect(error.message).to.include('Service unavailable');
  });
});
