import { expect } from 'chai';
import type { SeenRequest } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { type NotionAnswer, notionPack } from './notion-pack.ts';

const source = { data_source_id: '1a44be12-0953-4631-b498-9e5817518db8' };
const last = { object: 'list', results: [], next_cursor: null, has_more: false };

interface Listed {
  readonly results: readonly { readonly id: string }[];
  readonly next_cursor: string | null;
}

/** A page of results 0 to count - 1, of at most `most`. */
function page({ body }: SeenRequest, count: number, most: number): NotionAnswer {
  const { start_cursor: cursor = 'c0', page_size: size = 100 } = JSON.parse(body) as { start_cursor?: string; page_size?: number };
  const start = Number(cursor.slice(1));
  const end = Math.min(count, start + Math.min(most, size));
  const results = Array.from({ length: end - start }, (_, index) => ({ object: 'page', id: `p${start + index}` }));
  return { body: { object: 'list', results, next_cursor: end < count ? `c${end}` : null, has_more: end < count } };
}

function idsOf(listed: unknown): string[] {
  return (listed as Listed).results.map(({ id }) => id);
}

function range(start: number, end: number): string[] {
  return Array.from({ length: end - start }, (_, index) => `p${start + index}`);
}

const lists = [
  { tool: 'notion_search', parameters: { query: 'Größe' } },
  { tool: 'notion_list_databases', parameters: {} },
  { tool: 'notion_query_database', parameters: source },
];

describe('@toolkit/notion: results', () => {
  for (const { tool, parameters } of lists) {
    it(`${tool} reads them to their end, with a hundred on a page`, async () => {
      const { toolkit, requests } = await notionPack((request) => page(request, 250, 100));
      const listed = await toolkit.execute(tool, { ...parameters, max_items: 1000 });
      expect(idsOf(listed)).to.deep.equal(range(0, 250));
      expect(listed).to.include({ object: 'list', next_cursor: null, has_more: false });
      const asked = requests.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
      expect(asked.map(({ start_cursor: cursor, page_size: size }) => [cursor, size])).to.deep.equal([
        [undefined, 100],
        ['c100', 100],
        ['c200', 100],
      ]);
      expect(new Set(asked.map(({ filter }) => JSON.stringify(filter))).size).to.equal(1);
    });

    it(`${tool} goes on where a call ended, and loses none`, async () => {
      const { toolkit } = await notionPack((request) => page(request, 7, 3));
      const first = (await toolkit.execute(tool, { ...parameters, max_items: 4 })) as unknown as Listed;
      const rest = await toolkit.execute(tool, { ...parameters, start_cursor: first.next_cursor, max_items: 1000 });
      expect([...idsOf(first), ...idsOf(rest)]).to.deep.equal(range(0, 7));
    });
  }

  it('are gone on with where a call failed', async () => {
    const limited = { status: 429, body: { object: 'error', code: 'rate_limited', message: 'Slow down.' } };
    const { toolkit } = await notionPack((request, number) => (number === 2 ? limited : page(request, 7, 3)));
    const error = await rejection(toolkit.execute('notion_query_database', { ...source, max_items: 1000 }), 'RATE_LIMITED');
    expect(error.details).to.include({ partial: true, items: 6, resume: 'c6' });
    expect(idsOf(await toolkit.execute('notion_query_database', { ...source, start_cursor: 'c6' }))).to.deep.equal(['p6']);
  });

  it('may be pages and data sources with fields that Notion adds later', async () => {
    const results = [
      { object: 'page', id: 'p', properties: { Neu: { type: 'brand_new', brand_new: 1 } }, icon: { type: 'hologram' }, verification: {} },
      { object: 'data_source', id: 'd', title: [{ type: 'brand_new' }], parent: { type: 'brand_new' }, public_url: null },
    ];
    const { toolkit } = await notionPack(() => ({ body: { ...last, results, request_status: { type: 'complete' } } }));
    expect(await toolkit.execute('notion_search')).to.deep.include({ results });
  });
});
