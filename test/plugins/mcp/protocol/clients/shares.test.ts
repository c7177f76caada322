import type { McpError } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { testKernel } from '../../../../support/test-kernel.ts';
import { connect, source } from '../../support/client.ts';
import { Hold } from '../../support/wire-tools.ts';

describe('what one tenant has at the same time, over any transport', () => {
  it('is 256 of a thousand calls that come at once; the others are refused at once, as results to try again', async () => {
    const hold = new Hold();
    const kernel = await testKernel({ tools: [hold.tool] });
    const { call } = await connect(kernel);
    const calls = Array.from({ length: 1000 }, () => call('hold'));
    const refused = await Promise.all(calls.slice(256));
    expect(hold.runs).to.have.lengthOf(256);
    expect(new Set(refused.map(({ isError }) => isError))).to.deep.equal(new Set([true]));
    expect(refused[0]).to.have.nested.property('_meta.toolkit/error.code', 'RATE_LIMITED');
    for (const { release } of hold.runs) release();
    expect((await Promise.all(calls.slice(0, 256))).filter(({ isError }) => isError === true)).to.deep.equal([]);
  });

  it('is maxSubscriptions to resources, each counted once and given back when it ends', async () => {
    const watched = source((sink) => {
      for (const uri of ['a:1', 'a:2', 'a:3']) sink.addResource({ uri, name: uri, read: () => ({ uri, text: '' }), watch: () => () => {} });
    });
    const kernel = await testKernel({ plugins: [watched] });
    const { client } = await connect(kernel, { limits: { subscriptions: 2 } });
    for (const uri of ['a:1', 'a:2', 'a:1']) await client.subscribeResource({ uri });
    await kernel.reload();
    const refused = await client.subscribeResource({ uri: 'a:3' }).catch((error: McpError) => error);
    expect((refused as McpError).message).to.include('RATE_LIMITED: This was refused: 2 subscriptions of yours are kept already');
    expect((refused as McpError).data).to.include({ code: 'RATE_LIMITED', retryable: true });
    for (const _ of [1, 2]) await client.unsubscribeResource({ uri: 'a:1' });
    await client.subscribeResource({ uri: 'a:3' });
  });
});
