import { expect } from 'chai';
import type { Progress } from '../../../../kernel/index.ts';
import { json } from '../../../support/loopback.ts';
import { numbers, type PagedTool, type PagedToolOptions, pagedTool } from '../paginate-tool.ts';

const byCursor = {
  items: 'data.things',
  size: { parameter: 'per_page', maximum: 10 },
  next: { cursor: { path: 'meta.next', parameter: 'cursor' } },
};

/** A service that has the numbers from 1 to `total`, and names the first number of the next page as `n<number>`; `end` at the end. */
function cursorTool(total: number, { end = '', ...options }: Partial<PagedToolOptions> & { end?: unknown } = {}): Promise<PagedTool> {
  return pagedTool({
    paginate: byCursor,
    answer: ({ cursor = 'n1', per_page: perPage = '10' }, response) => {
      const start = Number(cursor.slice(1));
      const next = start + Number(perPage);
      json(response, {
        data: { things: numbers(start, Number(perPage), total), from: start },
        meta: { next: next > total ? end : `n${next}` },
      });
    },
    ...options,
  });
}

describe('executor-http: paginate', () => {
  it('makes one request, as the caller wrote it, where the limit is not given', async () => {
    const { call, asked } = await cursorTool(25);
    const { output, meta } = await call({ per_page: 3, cursor: 'n4' });
    expect(output).to.deep.equal({ data: { things: [4, 5, 6], from: 4 }, meta: { next: 'n7' } });
    expect(asked).to.deep.equal([{ per_page: '3', cursor: 'n4' }]);
    expect(meta).to.deep.equal({ status: 200, contentType: 'application/json' });
  });

  it('gives all items in the last answer', async () => {
    const { call, asked } = await cursorTool(25);
    const { output, meta } = await call({ max_items: 100 });
    expect(output).to.deep.equal({ data: { things: numbers(1, 25, 25), from: 21 }, meta: { next: '' } });
    expect(asked).to.deep.equal([{ per_page: '10' }, { per_page: '10', cursor: 'n11' }, { per_page: '10', cursor: 'n21' }]);
    expect(meta).to.deep.equal({ status: 200, contentType: 'application/json', requests: 3 });
  });

  const limits = [
    { limit: 1, sizes: ['1'] },
    { limit: 10, sizes: ['10'] },
    { limit: 11, sizes: ['10', '1'] },
    { limit: 25, sizes: ['10', '10', '5'] },
  ];
  for (const { limit, sizes } of limits) {
    it(`asks for pages of ${sizes.join(', ')} when ${limit} are wanted, and leaves the place after them in the answer`, async () => {
      const { call, asked } = await cursorTool(1000);
      const { output } = await call({ max_items: limit, per_page: 7 });
      expect(output).to.have.deep.nested.property('data.things', numbers(1, limit, limit));
      expect(output).to.have.nested.property('meta.next', `n${limit + 1}`);
      expect(asked.map(({ per_page: size }) => size)).to.deep.equal(sizes);
    });
  }

  it('goes on where the caller says', async () => {
    const { call, asked } = await cursorTool(1000);
    const { output } = await call({ max_items: 12, cursor: 'n500' });
    expect(output).to.have.deep.nested.property('data.things', numbers(500, 12, 1000));
    expect(asked.map(({ cursor }) => cursor)).to.deep.equal(['n500', 'n510']);
  });

  for (const end of ['', null, undefined, false]) {
    it(`takes the cursor ${JSON.stringify(end) ?? 'that is not there'} for the end`, async () => {
      const { call, asked } = await cursorTool(15, { end });
      const { output } = await call({ max_items: 100 });
      expect(output).to.have.deep.nested.property('data.things', numbers(1, 15, 15));
      expect(asked).to.have.lengthOf(2);
    });
  }

  it('sends a cursor as a value, whatever it looks like', async () => {
    const cursors = ['https://evil.example/?a=b', '../../admin?x=1&per_page=9#f', '{API_TOKEN}', 'ü%2F+ "', '\r\nX-Evil: 1'];
    const { call, asked } = await pagedTool({
      paginate: { items: 'things', next: byCursor.next },
      answer: (_query, response) => json(response, { things: [1], meta: { next: cursors[asked.length - 1] ?? '' } }),
    });
    await call({ max_items: 100 });
    expect(asked).to.deep.equal([{}, ...cursors.map((cursor) => ({ cursor }))]);
  });

  it('takes a number for a cursor as well', async () => {
    const { call, asked } = await pagedTool({
      paginate: { items: 'things', next: byCursor.next },
      parameters: { cursor: { type: 'integer' } },
      answer: ({ cursor = '0' }, response) => json(response, { things: [1], meta: { next: cursor === '2' ? null : Number(cursor) + 1 } }),
    });
    await call({ max_items: 100 });
    expect(asked).to.deep.equal([{}, { cursor: '1' }, { cursor: '2' }]);
  });

  it('puts the cursor and the size into the body of a post', async () => {
    const bodies: unknown[] = [];
    const { call } = await pagedTool({
      paginate: {
        items: 'results',
        size: { parameter: 'per_page', maximum: 2 },
        next: { cursor: { path: 'next_cursor', parameter: 'cursor' } },
      },
      execution: { method: 'post', query_params: {}, body: { filter: 'x', page_size: '{per_page}', start_cursor: '{cursor}' } },
      answer: (_query, response, { body }) => {
        bodies.push(JSON.parse(body));
        json(response, {
          results: [bodies.length],
          has_more: bodies.length < 3,
          next_cursor: bodies.length < 3 ? `c${bodies.length}` : null,
        });
      },
    });
    const { output } = await call({ max_items: 9 });
    expect(output).to.deep.equal({ results: [1, 2, 3], has_more: false, next_cursor: null });
    expect(bodies).to.deep.equal([
      { filter: 'x', page_size: 2 },
      { filter: 'x', page_size: 2, start_cursor: 'c1' },
      { filter: 'x', page_size: 2, start_cursor: 'c2' },
    ]);
  });

  it('gives the whole page, and says so, where its size cannot be chosen', async () => {
    const notes: Progress[] = [];
    const { call } = await pagedTool({
      paginate: { items: 'things', next: { cursor: { path: 'next', parameter: 'cursor' } } },
      answer: ({ cursor = '1' }, response) => json(response, { things: numbers(Number(cursor), 4, 100), next: String(Number(cursor) + 4) }),
    });
    const { output, meta } = await call({ max_items: 6 }, { onProgress: (note) => notes.push(note) });
    expect(output).to.deep.equal({ things: numbers(1, 8, 8), next: '9' });
    expect(meta).to.include({ requests: 2, beyondLimit: 2 });
    expect(notes.at(-1)?.message).to.equal(
      '8 items of 2 pages, 2 of them over the limit because the last page cannot be cut without losing them',
    );
  });

  const missing = [
    { what: 'no list', page: { next: '' } },
    { what: 'null', page: { things: null, next: '' } },
  ];
  for (const { what, page } of missing) {
    it(`takes ${what} where the list should be for an empty one`, async () => {
      const { call, asked } = await pagedTool({
        paginate: { items: 'things', next: { cursor: { path: 'next', parameter: 'cursor' } } },
        answer: (_query, response) => json(response, asked.length === 1 ? { things: ['a'], next: 'x' } : page),
      });
      expect((await call({ max_items: 5 })).output).to.deep.equal({ things: ['a'], next: '' });
    });
  }

  it('goes on after an empty page when the service names another one, and ends after three of them', async () => {
    const pages = [['a'], [], [], ['b'], [], [], [], ['c']];
    const { call, asked } = await pagedTool({
      paginate: { items: 'things', next: { cursor: { path: 'next', parameter: 'cursor' } } },
      answer: (_query, response) => json(response, { things: pages[asked.length - 1], next: `c${asked.length}` }),
    });
    expect((await call({ max_items: 5 })).output).to.deep.equal({ things: ['a', 'b'], next: 'c7' });
    expect(asked).to.have.lengthOf(7);
  });

  it('ends at an empty page that names itself', async () => {
    const { call, asked } = await pagedTool({
      paginate: { items: 'things', next: { cursor: { path: 'next', parameter: 'cursor' } } },
      answer: ({ cursor }, response) => json(response, { things: cursor === undefined ? ['a'] : [], next: 'end' }),
    });
    expect((await call({ max_items: 5 })).output).to.deep.equal({ things: ['a'], next: 'end' });
    expect(asked).to.have.lengthOf(2);
  });

  it('ends after 1000 requests, with the place after them in the answer', async () => {
    const { call, asked } = await cursorTool(1_000_000, {
      paginate: { ...byCursor, size: { parameter: 'per_page', maximum: 1 } },
      // A thousand requests take as long as the machine is busy; the limit of the call is not what ends them here.
      execution: { timeout_ms: 600_000 },
    });
    const { output, meta } = await call({ max_items: 5000 });
    expect(output).to.have.nested.property('data.things').with.lengthOf(1000);
    expect(output).to.have.nested.property('meta.next', 'n1001');
    expect(asked).to.have.lengthOf(1000);
    expect(meta).to.include({ requests: 1000 });
  });

  it('notes the progress with each page', async () => {
    const notes: Progress[] = [];
    const { call } = await cursorTool(25);
    await call({ max_items: 15 }, { onProgress: (note) => notes.push(note) });
    expect(notes).to.deep.equal([
      { progress: 10, message: '10 items of 1 page' },
      { progress: 15, message: '15 items of 2 pages' },
    ]);
  });

  for (const limit of [0, -1]) {
    it(`refuses ${limit} items`, async () => {
      const { call, asked } = await cursorTool(25);
      const error = await call({ max_items: limit }).catch((thrown: unknown) => thrown);
      expect(error).to.include({ code: 'INVALID_PARAMETERS' });
      expect(error).to.have.property('message').that.includes('"max_items"').and.includes('a whole number from 1');
      expect(asked).to.deep.equal([]);
    });
  }
});
