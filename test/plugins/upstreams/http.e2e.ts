import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import type { UpstreamServer } from '../../../plugins/upstreams/index.ts';
import { closedPort } from '../../support/closed-port.ts';
import { rejection } from '../../support/rejection.ts';
import { until } from '../../support/until.ts';
import { kernelWith } from './kernel-with.ts';
import { httpServer } from './servers/over-http.ts';

const call = (kernel: Kernel, tool: string, parameters = {}, more = {}) =>
  kernel.call({ tool: `shop_${tool}`, parameters, caller: 'ada', ...more });

const open = { pin: 'first-use', gate: 'none' } as const satisfies UpstreamServer;
const bearer = { ...open, headers: { Authorization: 'Bearer {SHOP_TOKEN}' } } as const;
/** The options of the preset with these secrets. */
const secrets = (env: Readonly<Record<string, string>>) => ({ secretResolver: { resolvers: [{ type: 'env', env }] } }) as never;

describe('a server over HTTP', () => {
  it('gets the headers with the secrets in them', async () => {
    const { url, requests } = await httpServer('legacy', { token: 's3cret-token' });
    const kernel = await kernelWith({ shop: { ...bearer, url } }, undefined, secrets({ SHOP_TOKEN: 's3cret-token' }));
    expect((await call(kernel, 'echo', { text: 'hello' })).output).to.equal('hello');
    expect(requests.every(({ headers }) => headers.authorization === 'Bearer s3cret-token')).to.equal(true);
  });

  it('needs other credentials when it answers 401', async () => {
    const { url } = await httpServer('legacy', { token: 's3cret-token' });
    const kernel = await kernelWith({ shop: { ...bearer, url } }, undefined, secrets({ SHOP_TOKEN: 'old-token' }));
    const [status] = kernel.sources.list();
    expect(status?.state, status?.failure).to.equal('needs-auth');
    expect(status?.failure).to.include('refuses the credentials').and.not.include('old-token');
  });

  it('is not asked without its secret', async () => {
    const { url, requests } = await httpServer('legacy');
    const kernel = await kernelWith({ shop: { ...bearer, url } }, undefined, secrets({}));
    expect(kernel.sources.list()[0]).to.include({ state: 'needs-auth' });
    expect(kernel.sources.list()[0]?.failure).to.include('SHOP_TOKEN');
    expect(requests).to.deep.equal([]);
  });

  it('gets a new session when it has lost the earlier one', async () => {
    const { url, forget } = await httpServer('legacy');
    const kernel = await kernelWith({ shop: { ...open, url } });
    forget();
    expect((await call(kernel, 'echo', { text: 'hello' })).output).to.equal('hello');
  });

  for (const kind of ['legacy', 'modern'] as const)
    it(`is told of a cancelled call before it gets the next one (${kind})`, async () => {
      const { url, events } = await httpServer(kind);
      const names = (): readonly string[] => events.map(({ event }) => event);
      const kernel = await kernelWith({ shop: { ...open, url } });
      const cancelling = new AbortController();
      const slow = call(kernel, 'slow', {}, { signal: cancelling.signal });
      await until(() => names().includes('waiting') || undefined);
      cancelling.abort();
      await rejection(slow, 'ABORTED');
      await call(kernel, 'echo', { text: 'next' });
      expect(names().slice(-2)).to.deep.equal(['cancelled', 'called']);
    });

  for (const kind of ['legacy', 'modern'] as const)
    it(`announces what has changed (${kind})`, async () => {
      const { url } = await httpServer(kind);
      const kernel = await kernelWith({ shop: { ...open, url } });
      await until(async () => {
        if (!kernel.registry.tools.has('shop_rename')) return true;
        await call(kernel, 'rename');
        return kernel.registry.tools.has('shop_echo') ? undefined : true;
      });
      expect(kernel.sources.pending()[0]).to.include({ name: 'shop_echo' });
    });

  it('that cannot be reached is down, with the reason', async () => {
    const port = await closedPort();
    const kernel = await kernelWith({ shop: { ...open, url: `http://127.0.0.1:${port}/mcp` } });
    expect(kernel.sources.list()[0]).to.include({ state: 'down' });
    expect(kernel.sources.list()[0]?.failure).to.include('ECONNREFUSED');
  });
});
