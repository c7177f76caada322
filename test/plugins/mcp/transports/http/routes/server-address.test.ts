import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { apiVersion, definePlugin, type HttpRouteAccess } from '../../../../../../kernel/index.ts';
import { rejection } from '../../../../../support/rejection.ts';
import { temporaryFolder } from '../../../../../support/temporary.ts';
import { testKernel } from '../../../../../support/test-kernel.ts';
import { post, serving, text } from '../../../support/route-server.ts';
import type { WireOptions } from '../../../support/wire.ts';

describe('the server as a route sees it', () => {
  const addresses: readonly (readonly [options: WireOptions, url: (port: number) => string, several: boolean])[] = [
    [{}, (port) => `http://127.0.0.1:${port}`, false],
    [{ host: 'localhost' }, (port) => `http://localhost:${port}`, false],
    [{ host: '0.0.0.0' }, (port) => `http://127.0.0.1:${port}`, false],
    [{ resource: 'https://tools.example/mcp' }, () => 'https://tools.example', false],
    [{ tokens: [{ name: 'ann', token: 'the-token-of-ann' }] }, (port) => `http://127.0.0.1:${port}`, true],
  ];
  for (const [options, url, several] of addresses)
    it(`has its address with ${JSON.stringify(options)}`, async () => {
      const { port, access, kernel } = await serving({ '/hello': text('hello') }, options);
      expect(access.baseUrl()).to.equal(url(port));
      expect(access.hasSeveralCallers()).to.equal(several);
      await kernel.close();
      expect(access.baseUrl()).to.equal(undefined);
      expect(access.hasSeveralCallers()).to.equal(false);
    });

  it('has the issuers that name its callers, while it runs', async () => {
    const { access, kernel } = await serving({ '/hello': text('hello') }, { issuers: [{ issuer: 'https://login.example' }] });
    expect(access.issuers().map(({ issuer, callerOf }) => [issuer, callerOf('ada')])).to.deep.equal([
      ['https://login.example', 'https://login.example:ada'],
    ]);
    await kernel.close();
    expect(access.issuers()).to.deep.equal([]);
  });

  it('has one caller as long as its file of tokens has one token', async () => {
    const entry = (name: string): string => `- { name: ${name}, token: the-token-of-${name} }\n`;
    const tokensFile = path.join(await temporaryFolder({ 'tokens.yaml': entry('ann') }), 'tokens.yaml');
    const { access, kernel } = await serving({ '/hello': text('hello') }, { tokensFile, mcpToken: undefined as never });
    expect(access.hasSeveralCallers()).to.equal(false);
    await writeFile(tokensFile, entry('ann') + entry('bob'));
    await kernel.reload();
    expect(access.hasSeveralCallers()).to.equal(true);
    await kernel.close();
  });

  it('takes forms of its public origin, which need not be an allowed one', async () => {
    const options = { resource: 'https://tools.example/mcp', allowedHosts: ['tools.example'] };
    const { port } = await serving({ '/form': text('taken') }, options);
    const of = (origin: string) => post(port, '/form', 'a=1', { 'sec-fetch-site': undefined, host: 'tools.example', origin });
    expect((await of('https://tools.example')).body).to.equal('taken');
    expect((await of(`http://127.0.0.1:${port}`)).status).to.equal(403);
  });

  for (const resource of ['tools', 'http://tools.example/mcp', 'https://tools.example/mcp?a=1', 'javascript:alert(1)'])
    it(`cannot have the address "${resource}"`, async () => {
      const error = await rejection(serving({ '/hello': text('hello') }, { resource }), 'CONFIG_INVALID');
      expect(error.message).to.include('"resource"');
    });

  it('has no address where no HTTP server runs', async () => {
    let access: HttpRouteAccess | undefined;
    const pages = definePlugin({
      name: 'pages',
      apiVersion,
      apply: ({ extend }) => {
        access = extend.httpRoute({ path: '/hello', handle: text('hello') });
      },
    })();
    await testKernel({ plugins: [pages] });
    expect(access?.baseUrl()).to.equal(undefined);
  });
});
