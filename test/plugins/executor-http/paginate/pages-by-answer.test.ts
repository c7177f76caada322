import { expect } from 'chai';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { httpTool } from '../http-tool.ts';
import { numbers, pagedTool } from '../paginate-tool.ts';

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

  it('looks for the name of the parameter where the URL of the tool sends it', async () => {
    const { url, requests } = await loopback(({ url: path }, response) =>
      json(response, [1], 200, path.endsWith('t1') ? { link: '<?token=t2>; rel=next' } : {}),
    );
    const call = await httpTool({
      execution: { url: `${url}/things?token={token}` },
      parameters: { max_items: { type: 'integer' }, token: { type: 'string', auth: false } },
      definition: { paginate: { items: '', limit: 'max_items', next: { link: { parameter: 'token' } } } },
    });
    await call({ max_items: 9, token: 't1' });
    expect(requests.map(({ url: path }) => path)).to.deep.equal(['/things?token=t1', '/things?token=t2']);
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

  it('takes the page size from the URL where that is declared', async () => {
    const { call, asked } = await pagedTool({
      paginate: { ...paginate, next: { url: { path: 'uri', parameters: { Page: 'page', PageSize: 'per_page' } } } },
      execution,
      answer: ({ Page: page = '1' }, response) => json(response, { messages: [page], uri: `?Page=${Number(page) + 1}&PageSize=4` }),
    });
    expect((await call({ max_items: 2, per_page: 7 })).output).to.deep.include({ next: { page: 3, per_page: 4 } });
    await call({ max_items: 2, page: 3, per_page: 4 });
    expect(asked.map(({ PageSize: size }) => size)).to.deep.equal(['2', '4', '4', '4']);
  });

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
