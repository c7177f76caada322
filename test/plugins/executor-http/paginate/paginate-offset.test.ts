import { expect } from 'chai';
import type { Progress } from '../../../../kernel/index.ts';
import { json } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { numbers, pagedTool } from '../paginate-tool.ts';

describe('executor-http: paginate by offset', () => {
  const sized = { size: { parameter: 'per_page', maximum: 10 } };

  function offsetTool({
    total,
    size = sized,
    items = 'members',
    totalPath,
  }: {
    total: number;
    size?: object;
    items?: string;
    totalPath?: string;
  }) {
    return pagedTool({
      paginate: {
        items,
        ...size,
        next: { offset: { parameter: 'offset', ...(totalPath === undefined ? {} : { total_path: totalPath }) } },
      },
      answer: ({ offset = '0', per_page: perPage = '4' }, response) => {
        const list = numbers(Number(offset) + 1, Number(perPage), total);
        json(response, items === '' ? list : { [items]: list, total_items: total });
      },
    });
  }

  it('goes on after the items that it has, and adds nothing to an object', async () => {
    const { call, asked } = await offsetTool({ total: 100, totalPath: 'total_items' });
    expect((await call({ max_items: 25, offset: 5 })).output).to.deep.equal({ members: numbers(6, 25, 100), total_items: 100 });
    expect(asked).to.deep.equal([
      { offset: '5', per_page: '10' },
      { offset: '15', per_page: '10' },
      { offset: '25', per_page: '5' },
    ]);
  });

  it('does not begin at a number that cannot be counted on', async () => {
    const { call, asked } = await offsetTool({ total: 100 });
    const error = await rejection(call({ max_items: 25, offset: '9007199254740993' }), 'INVALID_PARAMETERS');
    expect(error.message).to.include('"offset" cannot be used here: expected an integer up to 2^53−1');
    expect(asked).to.deep.equal([]);
  });

  const ends = [
    { what: 'at the total, without a further request', total: 20, totalPath: 'total_items', requests: 2 },
    { what: 'at a page that is not full', total: 15, requests: 2 },
    { what: 'at an empty page, when the last one was full', total: 20, requests: 3 },
    { what: 'at an empty list', total: 0, totalPath: 'total_items', requests: 1 },
  ];
  for (const { what, total, totalPath, requests } of ends) {
    it(`ends ${what}`, async () => {
      const { call, asked } = await offsetTool({ total, ...(totalPath === undefined ? {} : { totalPath }) });
      expect((await call({ max_items: 500 })).output).to.deep.equal({ members: numbers(1, total, total), total_items: total });
      expect(asked).to.have.lengthOf(requests);
    });
  }

  it('gives a list with the next offset, also for one request', async () => {
    const { call } = await offsetTool({ total: 9, items: '' });
    expect((await call({ per_page: 5 })).output).to.deep.equal({ items: [1, 2, 3, 4, 5], next: 5 });
    expect((await call({ per_page: 5, offset: 5 })).output).to.deep.equal({ items: [6, 7, 8, 9], next: null });
    expect((await call({ max_items: 7 })).output).to.deep.equal({ items: numbers(1, 7, 9), next: 7 });
    expect((await call({ max_items: 9 })).output).to.deep.equal({ items: numbers(1, 9, 9), next: 9 });
  });

  it('cuts a page whose size cannot be chosen: the offset leads to the rest', async () => {
    const { call } = await offsetTool({ total: 100, size: {}, items: '' });
    expect((await call({ max_items: 6 })).output).to.deep.equal({ items: numbers(1, 6, 100), next: 6 });
    expect((await call({ max_items: 3, offset: 6 })).output).to.deep.equal({ items: [7, 8, 9], next: 9 });
  });

  it('says in the progress how many items there will be', async () => {
    const notes: Progress[] = [];
    const { call } = await offsetTool({ total: 25, totalPath: 'total_items' });
    await call({ max_items: 100, offset: 10 }, { onProgress: (note) => notes.push(note) });
    await call({ max_items: 5 }, { onProgress: (note) => notes.push(note) });
    expect(notes.map(({ progress, total }) => ({ progress, total }))).to.deep.equal([
      { progress: 10, total: 15 },
      { progress: 15, total: 15 },
      { progress: 5, total: 5 },
    ]);
  });
});
