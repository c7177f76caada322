import { expect } from 'chai';
import { apiVersion, definePlugin, type OutboundFetch, type OutboundOptions } from '../../kernel/index.ts';
import { guardOutbound } from '../../plugins/guard-outbound/index.ts';
import { loopback } from '../support/loopback.ts';
import { rejection } from '../support/rejection.ts';
import { bareKernel } from '../support/test-kernel.ts';

/** A kernel with the outbound guard. Returns the fetch of a plugin, and the options with which wrappers see its requests. */
async function fetching(): Promise<{ readonly fetch: OutboundFetch; readonly seen: readonly (OutboundOptions | undefined)[] }> {
  const seen: (OutboundOptions | undefined)[] = [];
  let fetch: OutboundFetch | undefined;
  const plugin = definePlugin({
    name: 'accounts',
    apiVersion,
    apply: (api) => {
      fetch = api.fetch;
    },
  });
  const watcher = definePlugin({
    name: 'watcher',
    apiVersion,
    apply: ({ extend }) =>
      extend.fetch((next) => (input, init, options) => {
        seen.push(options);
        return next(input, init, options);
      }),
  });
  await bareKernel({ plugins: [plugin(), guardOutbound({ env: {} }), watcher()] });
  return { fetch: fetch ?? expect.fail(), seen };
}

describe('the fetch of a plugin outside of calls', () => {
  it('passes the wrappers of plugins that were applied later, with the trust of a package and its own share', async () => {
    const { fetch, seen } = await fetching();
    const { url, requests } = await loopback((_, response) => void response.end('yes'));
    await rejection(fetch(url), 'OUTBOUND_BLOCKED');
    await rejection(fetch(new Request(url), {}, { hostFrom: 'definition' }), 'OUTBOUND_BLOCKED');
    expect(requests).to.deep.equal([]);
    expect(seen.map((options) => [options?.trust, options?.tenant])).to.deep.equal([
      ['package', 'plugin accounts'],
      ['package', 'plugin accounts'],
    ]);
  });

  it('reaches a private host that the operator wrote', async () => {
    const { fetch } = await fetching();
    const { url } = await loopback((_, response) => void response.end('yes'));
    expect(await (await fetch(url, {}, { trust: 'operator', hostFrom: 'definition' })).text()).to.equal('yes');
  });

  it('is refused inside apply(), where the guard may not be there yet', async () => {
    const early = definePlugin({
      name: 'early',
      apiVersion,
      apply: async (api) => void (await api.fetch('http://127.0.0.1:1/')),
    });
    const error = await rejection(bareKernel({ plugins: [early()] }), 'PLUGIN_INVALID');
    expect(error.message).to.include('Plugin "early" uses its fetch inside apply()');
  });
});
