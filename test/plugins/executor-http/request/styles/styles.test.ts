import { expect } from 'chai';
import { executorHttp } from '../../../../../plugins/executor-http/index.ts';
import { json, loopback } from '../../../../support/loopback.ts';
import { rejection } from '../../../../support/rejection.ts';
import { testKernel } from '../../../../support/test-kernel.ts';
import { httpTool } from '../../http-tool.ts';

const nasty = ['a,b', 'c|d', 'é漢', 'x&y=z', '#+%2C', "it's (*)!"];
const color = { R: 100, G: '2,0', B: null };

interface Row {
  readonly what: string;
  readonly style: object;
  readonly value: unknown;
  readonly sent: string;
}

const rows: readonly Row[] = [
  { what: 'form, exploded', style: { style: 'form' }, value: ['a', 'b c'], sent: 'v=a&v=b%20c' },
  { what: 'form as the default', style: {}, value: ['a', 'b'], sent: 'v=a&v=b' },
  { what: 'form with commas', style: { style: 'form', explode: false }, value: ['a', 'b c', 'd,e'], sent: 'v=a,b%20c,d%2Ce' },
  { what: 'form of an object, exploded', style: { style: 'form', explode: true }, value: color, sent: 'R=100&G=2%2C0' },
  { what: 'form of an object with commas', style: { style: 'form', explode: false }, value: color, sent: 'v=R,100,G,2%2C0' },
  { what: 'form of a text', style: { style: 'form', explode: false }, value: 'a,b', sent: 'v=a%2Cb' },
  { what: 'spaceDelimited', style: { style: 'spaceDelimited' }, value: ['a', 'b,c'], sent: 'v=a%20b%2Cc' },
  { what: 'spaceDelimited, exploded', style: { style: 'spaceDelimited', explode: true }, value: ['a', 'b c'], sent: 'v=a&v=b%20c' },
  { what: 'pipeDelimited', style: { style: 'pipeDelimited' }, value: ['a', 'b|c', 3], sent: 'v=a|b%7Cc|3' },
  { what: 'pipeDelimited of an object', style: { style: 'pipeDelimited' }, value: color, sent: 'v=R|100|G|2%2C0' },
  { what: 'deepObject', style: { style: 'deepObject' }, value: color, sent: 'v[R]=100&v[G]=2%2C0' },
  {
    what: 'deepObject in depth',
    style: { style: 'deepObject' },
    value: { a: { 'b]': 'c d' }, l: [1, 2] },
    sent: 'v[a][b%5D]=c%20d&v[l][]=1&v[l][]=2',
  },
  { what: 'an empty list as nothing', style: { style: 'form', explode: false }, value: [], sent: '' },
  { what: 'an empty object as nothing', style: { style: 'deepObject' }, value: {}, sent: '' },
  {
    what: 'reserved characters as they are',
    style: { allow_reserved: true },
    value: 'a:/?@!$,;b&c=d#e+f[g]',
    sent: 'v=a:/?@!$,;b%26c%3Dd%23e%2Bf%5Bg%5D',
  },
];

async function sentBy(execution: Readonly<Record<string, unknown>>, values: Readonly<Record<string, unknown>>): Promise<string> {
  const { url, requests } = await loopback((_, response) => json(response, {}));
  const call = await httpTool({ execution: { ...execution, url: `${url}${execution['url'] ?? '/'}` } });
  await call(values);
  return requests[0]?.url ?? '';
}

const problemsOf = async (execution: object): Promise<readonly string[]> => {
  const tool = {
    name: 'probe',
    description: 'd',
    parameters: { ids: { type: 'array' } },
    execution: { type: 'http', method: 'get', ...execution },
  };
  const kernel = await testKernel({ tools: [tool], plugins: [executorHttp()] });
  return kernel.registry.problems.map(({ severity, path, message }) => `${severity} ${path} ${message}`);
};

describe('executor-http: style and explode', () => {
  for (const { what, style, value, sent } of rows) {
    it(`sends ${what}`, async () => {
      const url = await sentBy({ query_params: { v: { value: '{v}', ...style } } }, { v: value });
      expect(url).to.equal(sent === '' ? '/' : `/?${sent}`);
    });
  }

  for (const [style, delimiter] of [
    ['form', ','],
    ['pipeDelimited', '|'],
  ] as const) {
    it(`sends what can be split and then decoded: ${style}`, async () => {
      const url = await sentBy({ query_params: { v: { value: '{v}', style, explode: false } } }, { v: nasty });
      expect(url.slice('/?v='.length).split(delimiter).map(decodeURIComponent)).to.deep.equal(nasty);
    });
  }

  it('leaves the other parts of the query in their place', async () => {
    const execution = {
      url: '/items?fixed=1,2',
      query_params: { before: '{a} ü', v: { value: '{v}', style: 'form', explode: false }, gone: '{none}', tags: '{v}' },
      auth: { type: 'query', name: 'key', value: '{a}' },
    };
    expect(await sentBy(execution, { a: 'x y', v: ['1', '2'] })).to.equal('/items?fixed=1,2&before=x+y+%C3%BC&v=1,2&tags=1&tags=2&key=x+y');
  });

  it('does not touch what is no description', async () => {
    const query_params = { o: { value: '{v}', more: 1 }, l: '{v}', f: 'a,b' };
    expect(await sentBy({ url: '/?x=1,2', query_params }, { v: ['a', 'b,c'] })).to.equal(
      `/?x=1%2C2&o=${encodeURIComponent('{"value":["a","b,c"],"more":1}')}&l=a&l=b%2Cc&f=a%2Cb`,
    );
  });

  it('leaves out what was not given', async () => {
    expect(await sentBy({ query_params: { v: { value: '{v}', style: 'form', explode: false }, w: '1' } }, {})).to.equal('/?w=1');
  });

  it('refuses an item with a blank where blanks separate them', async () => {
    const error = await rejection(
      sentBy({ query_params: { v: { value: '{v}', style: 'spaceDelimited' } } }, { v: ['a b'] }),
      'INVALID_PARAMETERS',
    );
    expect(error.message).to.include('without blanks');
  });

  const paths = [
    { what: 'a list', style: {}, value: ['1', 'a,b', 'c/d'], sent: '/items/1,a%2Cb,c%2Fd/all' },
    { what: 'an object', style: { style: 'simple' }, value: color, sent: '/items/R,100,G,2%2C0/all' },
    { what: 'an object, exploded', style: { style: 'simple', explode: true }, value: color, sent: '/items/R=100,G=2%2C0/all' },
    { what: 'a text', style: {}, value: 'a b', sent: '/items/a%20b/all' },
  ];
  for (const { what, style, value, sent } of paths) {
    it(`writes ${what} into a path`, async () => {
      const execution = { url: '/items/{ids}/all', path_params: { ids: { value: '{v}', ...style } } };
      const { url, requests } = await loopback((_, response) => json(response, {}));
      const call = await httpTool({ execution: { ...execution, url: `${url}${execution.url}` }, parameters: { v: {} } });
      await call({ v: value });
      expect(requests[0]?.url).to.equal(sent);
    });
  }

  for (const value of [[], ['..'], ['a', '.'], ['x', 'a\\b'], ['']]) {
    it(`keeps ${JSON.stringify(value)} out of a path`, async () => {
      const call = await httpTool({
        execution: { url: 'http://127.0.0.1:1/items/{ids}', path_params: { ids: { value: '{v}' } } },
        parameters: { v: {} },
      });
      await rejection(call({ v: value }), 'INVALID_PARAMETERS');
    });
  }

  const dots = [
    { what: 'an empty label', style: { style: 'label' }, value: '' },
    { what: 'two empty labels', style: { style: 'label', explode: true }, value: ['', ''] },
    { what: 'a dot as a label', style: { style: 'label' }, value: '.' },
    { what: 'an encoded dot', style: { style: 'label' }, value: '%2e' },
    { what: 'two dots in a matrix', style: { style: 'matrix' }, value: '..' },
    { what: 'two dots as a name', style: { style: 'matrix', explode: true }, value: { '..': 1 } },
    { what: 'a way up', style: { style: 'label', allow_reserved: true }, value: ['a/../../b'] },
    { what: 'a backslash', style: { style: 'matrix', allow_reserved: true }, value: ['..\\a'] },
    { what: 'reserved dots', style: { style: 'simple', allow_reserved: true }, value: '..' },
  ];
  for (const { what, style, value } of dots)
    it(`keeps ${what} out of a path`, async () => {
      const execution = { url: 'http://127.0.0.1:1/items/{ids}/all', path_params: { ids: { value: '{v}', ...style } } };
      const call = await httpTool({ execution, parameters: { v: {} } });
      await rejection(call({ v: value }), 'INVALID_PARAMETERS');
    });

  it('leaves reserved characters of a segment as they are, and never those that end it', async () => {
    const execution = { url: '/items/{ids}', path_params: { ids: { value: '{v}', allow_reserved: true } } };
    expect(await sentBy(execution, { ids: 1, v: "a:b@c!$&'()*+,;=/?#[]%" })).to.equal("/items/a:b@c!$&'()*+,;=%2F%3F%23%5B%5D%25");
  });

  it('writes another name into a matrix', async () => {
    const execution = { url: '/items{ids}', path_params: { ids: { value: '{v}', style: 'matrix', name: 'user-id;' } } };
    expect(await sentBy(execution, { ids: 1, v: [1, 2] })).to.equal('/items;user-id%3B=1,2');
  });

  it('mixes styles with other fields of a form, and those of the authentication', async () => {
    const { url: base, requests } = await loopback((_, response) => json(response, {}));
    const form = { a: '{a}', v: { value: '{v}', style: 'form', explode: false }, deep: { value: '{o}', style: 'deepObject' }, o: '{o}' };
    const auth = { type: 'form', name: 'key', value: '{a}' };
    const call = await httpTool({ execution: { method: 'post', url: base, form, auth } });
    await call({ a: 'x y', v: ['1,2', '3'], o: { k: ['ü'] } });
    expect(requests[0]?.body).to.equal('a=x+y&v=1%2C2,3&deep[k][]=%C3%BC&o=%7B%22k%22%3A%5B%22%C3%BC%22%5D%7D&key=x+y');
    expect(requests[0]?.headers['content-type']).to.equal('application/x-www-form-urlencoded');
  });

  it('keeps integers beyond 2^53 in every place', async () => {
    const { url: base, requests } = await loopback((_, response) => json(response, {}));
    const described = { ids: { value: '{ids}', explode: false } };
    const call = await httpTool({
      execution: {
        method: 'post',
        url: `${base}/x{ids}`,
        path_params: described,
        query_params: described,
        headers: described,
        form: described,
      },
      parameters: { ids: { type: 'array', items: { type: 'integer' } } },
    });
    await call({ ids: ['9007199254740993', 1] });
    const [{ url = '', headers = {}, body = '' } = {}] = requests;
    expect([url, headers['ids'], body]).to.deep.equal([
      '/x9007199254740993,1?ids=9007199254740993,1',
      '9007199254740993,1',
      'ids=9007199254740993,1',
    ]);
  });

  it('sends a text in a described header as it is, and refuses what would break it', async () => {
    const headers = { 'X-Value': { value: '{v}', style: 'simple', explode: false } };
    const sent = async (value: unknown): Promise<unknown> => {
      const { url: base, requests } = await loopback((_, response) => json(response, {}));
      await (await httpTool({ execution: { url: base, headers }, parameters: { v: {} } }))({ v: value });
      return requests[0]?.headers['x-value'];
    };
    expect(await sent('W/"a,b=50%"; q=1')).to.equal('W/"a,b=50%"; q=1');
    expect(await sent(['W/"a,b"', '50%', '漢'])).to.equal('W/"a%2Cb",50%25,%E6%BC%A2');
    for (const value of ['a\r\nX: 1', ['a\nb'], { 'a\r': 1 }, 'a\0', '漢']) await rejection(sent(value), 'INVALID_PARAMETERS');
  });

  const fixed = { kind: 'open', account: '{SHOP_TOKEN}', page: '{page}', more: { value: '{more}', style: 'form', explode: true } };
  const auth = { type: 'query', name: 'key', value: '{SHOP_TOKEN}' };
  for (const [what, keys, names] of [
    ['a query', { url: '/?at=1', query_params: fixed, auth }, ['kind', 'account', 'key', 'at']],
    ['a form', { url: '/', method: 'post', form: fixed, auth: { ...auth, type: 'form' } }, ['kind', 'account', 'key']],
    ['parts', { url: '/', method: 'post', multipart: fixed }, ['kind', 'account']],
  ] as const)
    it(`refuses members of an object in ${what} that are named like values of the tool`, async () => {
      const { url: base, requests } = await loopback((_, response) => json(response, {}));
      const call = await httpTool({ execution: { ...keys, url: `${base}${keys.url}` }, env: { SHOP_TOKEN: 'secret-1' } });
      for (const name of names) {
        const error = await rejection(call({ more: { [name]: 'mine' } }), 'INVALID_PARAMETERS');
        expect(error.message).to.include(`"more"`).and.to.include(`members other than "${name}"`);
      }
      expect(requests).to.have.lengthOf(0);
      await call({ more: { page: 2, more: 3 }, page: 1 });
      expect(requests).to.have.lengthOf(1);
    });

  it('warns of a credential in a described path', async () => {
    const described = { url: 'https://shop.example/{at}', path_params: { at: { value: '{SHOP_TOKEN}' } } };
    expect((await problemsOf(described)).join()).to.match(/^warning .*puts the credential \{SHOP_TOKEN\} into the URL/);
  });

  const url = 'https://shop.example/items';
  const wrong: readonly (readonly [what: string, execution: object, says: string])[] = [
    ['an unknown style', { url, query_params: { ids: { value: '{ids}', style: 'commas' } } }, 'query_params.ids.style expected one of'],
    ['a style of paths', { url, query_params: { ids: { value: '{ids}', style: 'simple' } } }, 'query_params.ids.style expected one of'],
    [
      'a style with another key',
      { url, query_params: { ids: { value: '{ids}', style: 'form', explod: false } } },
      'and another key as well',
    ],
    [
      'deepObject without explode',
      { url, query_params: { ids: { value: '{ids}', style: 'deepObject', explode: false } } },
      'cannot be false',
    ],
    ['a path that is not there', { url, path_params: { ids: { value: '{ids}' } } }, 'which "url" does not have in its path'],
    ['a path that is a query', { url: `${url}?q={ids}`, path_params: { ids: { value: '{ids}' } } }, 'does not have in its path'],
    ['a path with another key', { url: `${url}/{ids}`, path_params: { ids: { value: '{ids}', stile: 'label' } } }, 'Did you mean "style"?'],
    ['a header with another key', { url, headers: { 'X-Ids': { value: '{ids}', explod: true } } }, 'headers'],
    ['a header in the style of queries', { url, headers: { 'X-Ids': { value: '{ids}', style: 'form' } } }, 'headers'],
    ['a form with another key', { url, method: 'post', form: { ids: { value: '{ids}', style: 'form', stil: 1 } } }, 'execution.form.ids'],
    [
      'a form in the style of paths',
      { url, method: 'post', form: { ids: { value: '{ids}', style: 'label' } } },
      'execution.form.ids.style',
    ],
    ['an unknown placeholder', { url, headers: { 'X-Ids': { value: '{idz}' } } }, 'Did you mean "ids"?'],
    [
      'a style of queries in a path',
      { url: `${url}/{ids}`, path_params: { ids: { value: '{ids}', style: 'form' } } },
      'path_params.ids.style',
    ],
  ];
  for (const [what, execution, says] of wrong)
    it(`refuse ${what}`, async () =>
      expect((await problemsOf(execution)).join('\n'))
        .to.match(/^error /)
        .and.to.include(says));
});
