import { expect } from 'chai';
import { apiVersion, createKernel, definePlugin, type HttpRoute, type Plugin } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { bareKernel } from '../../support/test-kernel.ts';

const page = (path: string, more: Partial<HttpRoute> = {}): HttpRoute => ({ path, handle: () => ({ status: 200 }), ...more });

function withRoutes(name: string, ...routes: readonly HttpRoute[]): Plugin {
  return definePlugin({
    name,
    apiVersion,
    apply({ extend }) {
      for (const route of routes) extend.httpRoute(route);
    },
  })();
}

describe('extend.httpRoute', () => {
  const refused: readonly (readonly [what: string, route: HttpRoute, says: string])[] = [
    ['no slash at its beginning', page('accounts'), 'the path "accounts": expected "/" and names'],
    ['nothing but a slash', page('/'), 'expected "/" and names'],
    ['nothing', page(''), 'expected "/" and names'],
    ['no text', page(5 as unknown as string), 'the path number'],
    ['an empty name in it', page('/accounts//callback'), 'expected "/" and names'],
    ['a query', page('/accounts?x=1'), 'expected "/" and names'],
    ['an encoded character', page('/%61ccounts'), 'expected "/" and names'],
    ['a name that leads upwards', page('/accounts/../mcp'), 'expected "/" and names'],
    ['a name that leads nowhere', page('/./mcp'), 'expected "/" and names'],
    [
      'a method that pages have no use for',
      page('/accounts', { methods: ['PUT' as 'POST'] }),
      'with the methods "PUT": expected GET, POST',
    ],
    ['no method', page('/accounts', { methods: [] }), 'expected GET, POST or both'],
    ['a kind that no server reads', page('/accounts', { body: 'xml' as 'json' }), 'with the body "xml": expected form or json'],
    [
      'open to callers that no server knows',
      page('/accounts', { access: 'admin' as 'operator' }),
      'with the access "admin": expected anyone or operator',
    ],
    [
      'without room for a byte',
      page('/accounts', { maxBodyBytes: 0 }),
      'with "maxBodyBytes": expected an integer from 1 to 4194304, received number 0',
    ],
    [
      'longer than a server keeps',
      page('/accounts', { maxBodyBytes: 4 * 1024 * 1024 + 1 }),
      'expected an integer from 1 to 4194304, received number 4194305',
    ],
    ['of half a byte', page('/accounts', { maxBodyBytes: 1.5 }), 'received number 1.5'],
    ['of a size in words', page('/accounts', { maxBodyBytes: '1 MB' as unknown as number }), 'received string "1 MB"'],
  ];
  for (const [what, route, says] of refused)
    it(`refuses a path, method, body, size or access that is ${what}`, async () => {
      const error = await rejection(createKernel({ plugins: [withRoutes('pages', route)] }), 'PLUGIN_INVALID');
      expect(error.message).to.include('Plugin "pages" adds').and.include(says);
    });

  it('refuses a path that another plugin has', async () => {
    const plugins = [withRoutes('one', page('/accounts/callback')), withRoutes('two', page('/accounts/callback'))];
    const error = await rejection(createKernel({ plugins }), 'PLUGIN_INVALID');
    expect(error.message).to.equal(
      'Plugin "two" adds the route "/accounts/callback", which another plugin has added. Remove one of the two.',
    );
  });

  it('takes the largest and the smallest body that a server keeps', async () => {
    const kernel = await bareKernel({
      plugins: [withRoutes('one', page('/a', { maxBodyBytes: 4 * 1024 * 1024 }), page('/b', { maxBodyBytes: 1 }))],
    });
    expect(kernel.httpRoutes.routes.map(({ maxBodyBytes }) => maxBodyBytes)).to.deep.equal([4 * 1024 * 1024, 1]);
  });

  it('takes the routes of several plugins in their order', async () => {
    const kernel = await bareKernel({ plugins: [withRoutes('one', page('/a'), page('/a/')), withRoutes('two', page('/b.c/~d_e-f'))] });
    expect(kernel.httpRoutes.routes.map(({ path }) => path)).to.deep.equal(['/a', '/a/', '/b.c/~d_e-f']);
  });
});
