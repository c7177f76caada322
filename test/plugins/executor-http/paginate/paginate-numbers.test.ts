import { expect } from 'chai';
import type { JsonValue } from '../../../../kernel/index.ts';
import { json } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { numbers, type PagedTool, pagedTool } from '../paginate-tool.ts';

interface Listing {
  readonly total: number;
  readonly kind?: 'page' | 'link';
  readonly items?: string;
  readonly first?: number;
  /** Largest page that the tool asks for. */
  readonly maximum?: number;
  /** Without it the tool has no size parameter; the service gives pages of this size. */
  readonly fixedSize?: number;
  readonly hasLinks?: boolean;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** A service that has the numbers from 1 to `total` on counted pages, 3 on each unless it is told another size. */
function listing({
  total,
  kind = 'page',
  items = '',
  first = 1,
  maximum = 10,
  fixedSize,
  hasLinks = kind === 'link',
  parameters = {},
}: Listing): Promise<PagedTool> {
  return pagedTool({
    parameters,
    paginate: {
      items,
      ...(fixedSize === undefined ? { size: { parameter: 'per_page', maximum } } : {}),
      next: { [kind]: { parameter: 'page', ...(first === 1 ? {} : { first }) } },
    },
    answer: ({ page = String(first), per_page: perPage = '3' }, response) => {
      const size = fixedSize ?? Number(perPage);
      const index = Number(page) - first;
      const next = `</things?per_page=${size}&page=${Number(page) + 1}>; rel="next", </things?page=9>; rel="last"`;
      const links = (index + 1) * size < total ? next : '</things?page=1>; rel="first"';
      const list = numbers(index * size + 1, size, total);
      json(response, items === '' ? list : { [items]: list, total }, 200, hasLinks ? { link: links } : {});
    },
  });
}

describe('executor-http: paginate over counted pages', () => {
  for (const kind of ['page', 'link'] as const) {
    it(`makes a list {items, next} also of one request (${kind})`, async () => {
      const { call, asked } = await listing({ total: 7, kind });
      expect((await call({ per_page: 3 })).output).to.deep.equal({ items: [1, 2, 3], next: { page: 2, per_page: 3 } });
      expect((await call({ page: 3, per_page: 3 })).output).to.deep.equal({ items: [7], next: null });
      expect(asked).to.deep.equal([{ per_page: '3' }, { page: '3', per_page: '3' }]);
    });

    it(`adds next to an object (${kind})`, async () => {
      const { call } = await listing({ total: 7, kind, items: 'things' });
      expect((await call({ per_page: 3 })).output).to.deep.equal({ things: [1, 2, 3], total: 7, next: { page: 2, per_page: 3 } });
      expect((await call({ max_items: 100 })).output).to.deep.equal({ things: numbers(1, 7, 7), total: 7, next: null });
    });

    it(`leaves a next of the object as it is (${kind})`, async () => {
      const { call } = await listing({ total: 7, kind, items: 'next' });
      expect((await call({ max_items: 5 })).output).to.deep.equal({ next: [1, 2, 3, 4, 5], total: 7 });
    });

    it(`gives only the number where the tool has no size (${kind})`, async () => {
      const { call } = await listing({ total: 7, kind, fixedSize: 3 });
      expect((await call()).output).to.deep.equal({ items: [1, 2, 3], next: 2 });
      expect((await call({ page: 2 })).output).to.deep.equal({ items: [4, 5, 6], next: 3 });
      expect((await call({ max_items: 100 })).output).to.deep.equal({ items: numbers(1, 7, 7), next: null });
    });

    it(`gives the whole page where the tool has no size (${kind})`, async () => {
      const { call } = await listing({ total: 7, kind, fixedSize: 3 });
      const { output, meta } = await call({ max_items: 4 });
      expect(output).to.deep.equal({ items: [1, 2, 3, 4, 5, 6], next: 3 });
      expect(meta).to.include({ beyondLimit: 2, requests: 2 });
    });
  }

  it('keeps the size from page to page, the smallest that brings enough in as few requests', async () => {
    const { call, asked } = await listing({ total: 1000 });
    expect((await call({ max_items: 25 })).output).to.deep.equal({ items: numbers(1, 25, 1000), next: { page: 6, per_page: 5 } });
    expect(asked).to.deep.equal([
      { page: '1', per_page: '9' },
      { page: '2', per_page: '9' },
      { page: '3', per_page: '9' },
    ]);
  });

  const sequences: readonly { limits: readonly number[]; total: number; first?: number; maximum?: number }[] = [
    { limits: [10], total: 57 },
    { limits: [7], total: 57 },
    { limits: [11], total: 57 },
    { limits: [1, 2, 3, 5, 8, 13], total: 57 },
    { limits: [29, 1], total: 57 },
    { limits: [13, 20, 4], total: 60 },
    { limits: [17], total: 34 },
    { limits: [23, 9], total: 100, maximum: 100 },
    { limits: [5, 50], total: 101, maximum: 7 },
    { limits: [6, 11], total: 40, first: 0 },
  ];
  for (const kind of ['page', 'link'] as const) {
    for (const { limits, total, first = 1, maximum = 10 } of sequences) {
      it(`gives ${total} items from page ${first} on, at most ${maximum} a page, ${limits.join(', ')} at a time, each once (${kind})`, async () => {
        const { call } = await listing({ total, kind, first, maximum, parameters: { per_page: { type: 'integer', default: 3 } } });
        const got: JsonValue[] = [];
        let next: Record<string, unknown> | null = {};
        for (let calls = 0; next !== null; calls++) {
          const limit = limits[calls % limits.length];
          const { output } = await call({ ...(next as object), max_items: limit });
          const answer = output as { items: JsonValue[]; next: Record<string, unknown> | null };
          expect(answer.items).to.have.lengthOf(Math.min(limit ?? 0, total - got.length));
          got.push(...answer.items);
          next = answer.next;
        }
        expect(got).to.deep.equal(numbers(1, total, total));
      });
    }
  }

  it('goes on without the limit as with it', async () => {
    const { call } = await listing({ total: 30 });
    const { output } = await call({ max_items: 7 });
    expect(output).to.deep.equal({ items: numbers(1, 7, 30), next: { page: 2, per_page: 7 } });
    expect((await call((output as { next: Record<string, unknown> }).next)).output).to.deep.equal({
      items: numbers(8, 7, 30),
      next: { page: 3, per_page: 7 },
    });
  });

  it('takes the page size of the service, where the caller names a page and no size', async () => {
    const { call, asked } = await listing({ total: 30 });
    expect((await call({ page: 3, max_items: 4 })).output).to.deep.equal({ items: [7, 8, 9, 10, 11, 12], next: { page: 5 } });
    expect(asked).to.deep.equal([{ page: '3' }, { page: '4' }]);
  });

  it('asks once more where the service does not say that a full page was the last', async () => {
    const { call, asked } = await listing({ total: 20 });
    expect((await call({ max_items: 100 })).output).to.deep.equal({ items: numbers(1, 20, 20), next: null });
    expect(asked).to.have.lengthOf(3);
  });

  it('believes the Link header more than the size of a page', async () => {
    const { call, asked } = await listing({ total: 20, hasLinks: true });
    expect((await call({ max_items: 100 })).output).to.deep.equal({ items: numbers(1, 20, 20), next: null });
    expect(asked).to.have.lengthOf(2);
  });

  it('does not take a Link header for one about pages when it is not', async () => {
    const { call } = await pagedTool({
      paginate: { items: '', size: { parameter: 'per_page', maximum: 10 }, next: { page: { parameter: 'page' } } },
      answer: ({ page }, response) =>
        json(response, page === '2' ? [] : [1, 2], 200, { link: '</style.css>; rel=preload; title="; rel=next"' }),
    });
    expect((await call({ per_page: 2 })).output).to.deep.equal({ items: [1, 2], next: { page: 2, per_page: 2 } });
  });

  it('gives whole pages, all of the same size, where the service leaves some items of them out', async () => {
    const { call, asked } = await pagedTool({
      paginate: { items: '', size: { parameter: 'per_page', maximum: 4 }, next: { link: { parameter: 'page' } } },
      answer: ({ page = '1' }, response) => {
        const names = (page === '1' ? ['a'] : ['a', 'b', 'c', 'd']).map((letter) => page + letter);
        json(response, names, 200, page === '3' ? {} : { link: `<?page=${Number(page) + 1}>; rel=next` });
      },
    });
    const { output, meta } = await call({ max_items: 7 });
    expect(output).to.deep.equal({ items: ['1a', '2a', '2b', '2c', '2d', '3a', '3b', '3c', '3d'], next: null });
    expect(meta).to.include({ beyondLimit: 2 });
    expect(asked).to.deep.equal(['1', '2', '3'].map((page) => ({ page, per_page: '4' })));
  });

  const strange = [
    { link: '</things?since=135>; rel="next"', says: 'names a next page without the query parameter "page"' },
    { link: '</things?page=135>; rel="next"', says: 'goes from page 1 to string "135". Declare the parameter "page" as a string' },
  ];
  for (const { link, says } of strange) {
    it(`fails a call whose answer goes on at ${link}`, async () => {
      const { call } = await pagedTool({
        paginate: { items: '', next: { link: { parameter: 'page' } } },
        answer: (_query, response) => json(response, [1], 200, { link }),
      });
      const error = await rejection(call(), 'EXECUTION_FAILED');
      expect(error.message).to.include('"probe" cannot read the pages').and.to.include(says);
    });
  }
});
