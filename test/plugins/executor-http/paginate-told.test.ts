import { expect } from 'chai';
import type { Progress } from '../../../kernel/index.ts';
import { json } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { numbers, pagedTool } from './paginate-tool.ts';

describe('executor-http: paginate along Link headers with a cursor', () => {
  const links = [
    '<https://elsewhere.example/other?token=t2&x=1>; rel="next"',
    '</things?token=t2>; rel=next',
    '<?token=t2>;rel="prev next"',
    '</a?token=no>; rel="prev", <?token=t2>; title="a, <b>; rel=last"; REL = NEXT ; x',
    '</a,b;c?token=t2>; rel="NEXT", <?token=t3>; rel="next"',
  ];
  for (const link of links) {
    it(`finds the value in ${link}, and sends it to the address of the tool`, async () => {
      const { call, asked } = await pagedTool({
        paginate: { items: '', next: { link: { parameter: 'token' } } },
        answer: ({ token }, response) => json(response, [token ?? 't1'], 200, token === undefined ? { link } : {}),
      });
      expect((await call()).output).to.deep.equal({ items: ['t1'], next: 't2' });
      expect((await call({ max_items: 9 })).output).to.deep.equal({ items: ['t1', 't2'], next: null });
      expect(asked.slice(1)).to.deep.equal([{}, { token: 't2' }]);
    });
  }

  const none = [undefined, '', 'rel="next"', '<?token=t2>', '<?token=t2>; rel=nexts', '<?token=t2; rel=next', '<?token=t2>; xrel=next'];
  for (const link of none) {
    it(`ends at ${link === undefined ? 'no header' : JSON.stringify(link)}`, async () => {
      const { call } = await pagedTool({
        paginate: { items: '', next: { link: { parameter: 'token' } } },
        answer: (_query, response) => json(response, [1], 200, link === undefined ? {} : { link }),
      });
      expect((await call()).output).to.deep.equal({ items: [1], next: null });
    });
  }

  it('looks for the name under which the request sends the parameter', async () => {
    const { call, asked } = await pagedTool({
      paginate: { items: '', next: { link: { parameter: 'token' } } },
      execution: { query_params: { 'page[after]': '{token}' } },
      answer: (query, response) =>
        json(response, [1], 200, Object.keys(query).length === 0 ? { link: '<?token=no&page%5Bafter%5D=a%2Bb>; rel=next' } : {}),
    });
    expect((await call({ max_items: 9 })).output).to.deep.equal({ items: [1, 1], next: null });
    expect(asked).to.deep.equal([{}, { 'page[after]': 'a+b' }]);
  });

  it('keeps the page size from the first page on', async () => {
    const { call, asked } = await pagedTool({
      paginate: { items: '', size: { parameter: 'per_page', maximum: 10 }, next: { link: { parameter: 'token' } } },
      answer: ({ token = '1', per_page: size = '4' }, response) => {
        const next = Number(token) + Number(size);
        json(response, numbers(Number(token), Number(size), 1000), 200, { link: `<?token=${next}>; rel=next` });
      },
    });
    expect((await call({ max_items: 24 })).output).to.deep.equal({ items: numbers(1, 24, 1000), next: '25' });
    expect(asked.map(({ per_page: size }) => size)).to.deep.equal(['8', '8', '8']);
    const { output, meta } = await call({ max_items: 5, token: '25', per_page: 3 });
    expect(output).to.deep.equal({ items: numbers(25, 6, 1000), next: '31' });
    expect(meta).to.include({ beyondLimit: 1 });
    expect(asked.slice(3).map(({ per_page: size }) => size)).to.deep.equal(['3', '3']);
  });
});

describe('executor-http: paginate along URLs in the answer', () => {
  const paginate = {
    items: 'messages',
    size: { parameter: 'per_page', maximum: 10 },
    next: { url: { path: 'next_page_uri', parameters: { Page: 'page', PageToken: 'token' } } },
  };
  const execution = { query_params: { PageSize: '{per_page}', Page: '{page}', PageToken: '{token}' } };

  const addresses = ['/2010/Messages.json?', 'https://elsewhere.example/admin?', '//elsewhere.example/?', '?', 'javascript:x?'];
  for (const address of addresses) {
    it(`sends what the query of ${address} says to the address of the tool`, async () => {
      const paths: string[] = [];
      const { call, asked } = await pagedTool({
        paginate,
        execution,
        answer: ({ Page: page = '0', PageToken: token }, response, { url }) => {
          paths.push(url.split('?')[0] ?? '');
          const next = page === '2' ? null : `${address}PageSize=5&Page=${Number(page) + 1}&PageToken=PA${Number(page) + 1}&evil=1`;
          json(response, { messages: [token ?? 'first'], next_page_uri: next });
        },
      });
      expect((await call()).output).to.deep.include({ messages: ['first'], next: { page: 1, token: 'PA1' } });
      const { output } = await call({ max_items: 20 });
      expect(output).to.deep.equal({ messages: ['first', 'PA1', 'PA2'], next_page_uri: null, next: null });
      expect(asked.slice(1)).to.deep.equal([
        { PageSize: '10' },
        { PageSize: '10', Page: '1', PageToken: 'PA1' },
        { PageSize: '10', Page: '2', PageToken: 'PA2' },
      ]);
      expect(new Set(paths)).to.deep.equal(new Set(['/things']));
    });
  }

  it('leaves out what the URL leaves out', async () => {
    const { call, asked } = await pagedTool({
      paginate,
      execution,
      answer: ({ Page: page }, response) => json(response, { messages: [1], next_page_uri: page === undefined ? null : '?PageToken=x' }),
    });
    await call({ max_items: 9, page: 3 });
    expect(asked).to.deep.equal([{ Page: '3' }, { PageToken: 'x' }]);
  });

  it('gives the bare value where one parameter leads on', async () => {
    const { call } = await pagedTool({
      paginate: { items: 'messages', next: { url: { path: 'next_url', parameters: { PageToken: 'token' } } } },
      execution,
      answer: (_query, response) => json(response, { messages: [1], next_url: '?PageToken=x' }),
    });
    expect((await call()).output).to.deep.equal({ messages: [1], next_url: '?PageToken=x', next: 'x' });
  });

  const wrong = ['?Other=1', 'http://[', 5, { href: '?Page=1' }];
  for (const uri of wrong) {
    it(`fails a call whose answer goes on at ${JSON.stringify(uri)}`, async () => {
      const { call } = await pagedTool({
        paginate,
        execution,
        answer: (_query, response) => json(response, { messages: [1], next_page_uri: uri }),
      });
      const error = await rejection(call({ max_items: 20 }), 'EXECUTION_FAILED');
      expect(error.message).to.include('expected a URL with a query parameter of Page, PageToken at "next_page_uri" of the answer');
    });
  }
});

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
