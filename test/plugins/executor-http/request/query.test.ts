import { expect } from 'chai';
import { json, loopback } from '../../../support/loopback.ts';
import { httpTool } from '../http-tool.ts';

describe('executor-http: query', () => {
  const cases = [
    { what: 'text, percent-encoded', query: { q: '{q}' }, values: { q: 'a&b=c d+é' }, sent: '?q=a%26b%3Dc+d%2B%C3%A9' },
    { what: 'a list as a repeated key', query: { tag: '{tags}' }, values: { tags: ['x', 'y z', 3] }, sent: '?tag=x&tag=y+z&tag=3' },
    { what: 'an empty list as nothing', query: { tag: '{tags}', n: 1 }, values: { tags: [] }, sent: '?n=1' },
    { what: 'an object as JSON', query: { filter: '{filter}' }, values: { filter: { a: 1 } }, sent: '?filter=%7B%22a%22%3A1%7D' },
    {
      what: 'booleans and numbers',
      query: { a: '{a}', b: '{b}', n: '{n}' },
      values: { a: true, b: false, n: 0 },
      sent: '?a=true&b=false&n=0',
    },
    { what: 'what was given and nothing else', query: { a: '{a}', b: 'x-{b}', c: '{c}' }, values: { c: '' }, sent: '?c=' },
    { what: 'null as nothing', query: { a: '{a}', b: 'fixed' }, values: { a: null }, sent: '?b=fixed' },
    { what: 'a placeholder inside text', query: { q: 'repo:{repo} is:open' }, values: { repo: 'o/r' }, sent: '?q=repo%3Ao%2Fr+is%3Aopen' },
    {
      what: 'fixed values of every type',
      query: { a: 1, b: true, c: ['x', '{y}', '{z}'] },
      values: { y: 'why' },
      sent: '?a=1&b=true&c=x&c=why',
    },
    {
      what: 'keys with other characters',
      query: { 'DateSent<': '{d}', 'meta[{k}]': 1 },
      values: { d: '2024-02-29', k: 'a' },
      sent: '?DateSent%3C=2024-02-29&meta%5Ba%5D=1',
    },
    {
      what: 'braces that came with a value as they are',
      query: { q: '{q}' },
      values: { q: '{a} {{b}}', a: 'no' },
      sent: '?q=%7Ba%7D+%7B%7Bb%7D%7D',
    },
  ];
  for (const { what, query, values, sent } of cases) {
    it(`sends ${what}`, async () => {
      const { url, requests } = await loopback((_request, response) => json(response, {}));
      const parameters = Object.fromEntries(
        ['q', 'tags', 'filter', 'a', 'b', 'c', 'n', 'repo', 'y', 'z', 'd', 'k'].map((name) => [name, {}]),
      );
      const call = await httpTool({ execution: { url: `${url}/p`, query_params: query }, parameters });
      await call(values);
      expect(requests[0]?.url).to.equal(`/p${sent}`);
    });
  }

  it('adds to the query that the URL has already', async () => {
    const { url, requests } = await loopback((_request, response) => json(response, {}));
    const call = await httpTool({ execution: { url: `${url}/p?v={v}`, query_params: { q: '{q}' } } });
    await call({ v: 'a/b', q: 'x' });
    expect(requests[0]?.url).to.equal('/p?v=a%2Fb&q=x');
  });
});
