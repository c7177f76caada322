import { expect } from 'chai';
import { formatProblem } from '../../../../kernel/index.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { fileKernel } from '../../tool-files/tool-folder.ts';
import { authTool } from '../auth-tool.ts';

/** Returns the problems, as text, of a tool with this auth, written in the file of its provider or in its own. */
async function problemsOf(auth: string, writtenIn: 'provider' | 'tool'): Promise<{ problems: string[]; isThere: boolean }> {
  const isIn = (place: string, indent: string): string => (place === writtenIn ? `${indent}auth: ${auth}\n` : '');
  const folder = await temporaryFolder({
    'shop/definition.yaml': `provider:\n  name: shop\n${isIn('provider', '')}`,
    'shop/shop_list.yaml': `name: shop_list\ndescription: d\nexecution:\n  type: http\n  method: post\n  url: https://shop.example/\n${isIn('tool', '  ')}`,
  });
  const kernel = await fileKernel([folder]);
  const problems = kernel.registry.problems.map(
    (problem) => `${problem.severity} ${formatProblem(problem).replace(`${folder}/shop/`, '')}`,
  );
  await kernel.close();
  return { problems, isThere: kernel.registry.tools.has('shop_list') };
}

describe('executor-http: an auth that is wrong', () => {
  const wrong: readonly { title: string; auth: string; path: string; says: string }[] = [
    { title: 'no type', auth: '{ token: "{KEY}" }', path: 'auth.type', says: 'is required' },
    { title: 'an unknown type', auth: '{ type: digest, username: "{KEY}" }', path: 'auth.type', says: 'client_certificate' },
    { title: 'a missing key', auth: '{ type: bearer }', path: 'auth.token', says: 'is required' },
    {
      title: 'a mistyped key',
      auth: '{ type: basic, username: a, pasword: "{KEY}" }',
      path: 'auth.pasword',
      says: 'Did you mean "password"?',
    },
    {
      title: 'a value that is no text',
      auth: '{ type: bearer, token: 7 }',
      path: 'auth.token',
      says: 'expected string, received number 7',
    },
    { title: 'an empty text', auth: '{ type: bearer, token: "" }', path: 'auth.token', says: 'received string ""' },
    { title: 'a name that no header can have', auth: '{ type: header, name: "X Key", value: "{KEY}" }', path: 'auth.name', says: 'X Key' },
    { title: 'an empty list', auth: '[]', path: 'auth', says: 'received array of 0' },
    { title: 'text', auth: 'bearer', path: 'auth', says: 'received string "bearer"' },
    {
      title: 'one that is wrong among others',
      auth: '[{ type: none }, { type: query, name: key }]',
      path: 'auth[1].value',
      says: 'is required',
    },
  ];
  for (const { title, auth, path, says } of wrong) {
    it(`is one problem, at its place in the file of the tool: ${title}`, async () => {
      const { problems, isThere } = await problemsOf(auth, 'tool');
      expect(problems, problems.join('\n')).to.have.lengthOf(1);
      expect(problems[0])
        .to.match(/^error shop_list\.yaml:7:\d+ /)
        .and.to.include(` execution.${path}: `)
        .and.to.include(says);
      expect(isThere).to.equal(false);
    });

    it(`is one problem, at its place in the file of the provider: ${title}`, async () => {
      const { problems } = await problemsOf(auth, 'provider');
      expect(problems, problems.join('\n')).to.have.lengthOf(1);
      expect(problems[0])
        .to.match(/^error definition\.yaml:3:\d+ /)
        .and.to.include(` ${path}: `)
        .and.to.include(says);
    });
  }

  for (const place of ['provider', 'tool'] as const) {
    it(`is a warning, and used, when the ${place} has a key that resembles no other`, async () => {
      const { problems, isThere } = await problemsOf('{ type: bearer, token: "{KEY}", remark: 1 }', place);
      expect(problems, problems.join('\n')).to.have.lengthOf(1);
      expect(problems[0])
        .to.match(/^warning /)
        .and.to.include('auth.remark: is not known here');
      expect(isThere).to.equal(true);
    });

    it(`is none when the ${place} has a key that begins with x-`, async () => {
      expect(await problemsOf('{ type: bearer, token: "{KEY}", x-remark: 1 }', place)).to.deep.equal({ problems: [], isThere: true });
    });
  }

  const formAuth = { type: 'form', name: 'key', value: '{SHOP_KEY}' };
  const misplaced = [
    { title: 'a body', execution: { method: 'post', body: { a: 1 } }, says: '"body"' },
    { title: 'a text body', execution: { method: 'put', body: 'a' }, says: '"body"' },
    { title: 'the method get', execution: { method: 'get' }, says: 'the method "get"' },
    { title: 'the method head', execution: { method: 'head' }, says: 'the method "head"' },
  ];
  for (const { title, execution, says } of misplaced) {
    for (const auth of [formAuth, [{ type: 'none' }, formAuth]]) {
      it(`is a ${Array.isArray(auth) ? 'list with a ' : ''}form beside ${title}`, async () => {
        const url = 'https://shop.example/';
        for (const options of [{ execution: { url, ...execution, auth } }, { execution: { url, ...execution }, provider: auth }]) {
          const { problems, kernel } = await authTool(options);
          expect(problems.map(({ severity, path }) => [severity, path])).to.deep.equal([['error', 'execution.auth']]);
          expect(problems[0]?.message).to.include('type "form"').and.to.include(says);
          expect(kernel.registry.tools.has('shop_list')).to.equal(false);
        }
        const { problems } = await authTool({ execution: { url, ...execution, auth: { type: 'none' } }, provider: auth });
        expect(problems).to.deep.equal([]);
      });
    }
  }
});

describe('executor-http: a credential in the URL', () => {
  const query = (value: string): object => ({ type: 'query', name: 'key', value });
  const warned: readonly { title: string; execution: object; provider?: unknown; name: string }[] = [
    { title: 'in the auth of the tool', execution: { auth: query('{SHOP_KEY}') }, name: 'SHOP_KEY' },
    { title: 'in the auth of the provider', execution: {}, provider: query('{SHOP_TOKEN}'), name: 'SHOP_TOKEN' },
    { title: 'as a part of a value', execution: { auth: [{ type: 'none' }, query('v1.{SHOP_KEY}')] }, name: 'SHOP_KEY' },
    { title: 'in query_params', execution: { query_params: { key: '{SHOP_KEY}' } }, name: 'SHOP_KEY' },
    { title: 'in the path', execution: { url: 'https://shop.example/bot{SHOP_TOKEN}/list' }, name: 'SHOP_TOKEN' },
    { title: 'with a name of its own', execution: { auth: query('{number}') }, name: 'number' },
  ];
  for (const { title, execution, provider, name } of warned) {
    it(`is a warning, and the tool is there: ${title}`, async () => {
      const parameters = name === 'number' ? { number: { type: 'string', auth: true } } : {};
      const { problems, kernel } = await authTool({ execution: { url: 'https://shop.example/', ...execution }, provider, parameters });
      expect(problems.map(({ severity, tool }) => [severity, tool])).to.deep.equal([['warning', 'shop_list']]);
      expect(problems[0]?.message).to.include(`{${name}}`).and.to.include('headers');
      expect(kernel.registry.tools.has('shop_list')).to.equal(true);
    });
  }

  it('is none where the value is an account that the service supplies, or an ordinary parameter', async () => {
    const { url, requests } = await loopback((_request, response) => json(response, {}));
    const execution = { url: `${url}/{ACCOUNT}/{keyword}`, auth: [query('{ACCOUNT}')], query_params: { user: '{USER}' } };
    const { problems, call } = await authTool({ execution, parameters: { keyword: { type: 'string', auth: false } } });
    expect(problems).to.deep.equal([]);
    await call({ parameters: { keyword: 'lamp' } });
    expect(requests.map((request) => request.url)).to.deep.equal(['/account-7/lamp?user=alice&key=account-7']);
  });
});
