import { expect } from 'chai';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { httpTool } from '../http-tool.ts';

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
    sent: 'v[a][b%5D]=c%20d&v[l]=1&v[l]=2',
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
    ['a path that is not there', { url, path_params: { ids: { value: '{ids}' } } }, 'which "url" does not have'],
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
