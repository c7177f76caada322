import { expect } from 'chai';
import { gaugeOf } from '../../support/gauges.ts';
import { rejection } from '../../support/rejection.ts';
import { until } from '../../support/until.ts';
import { kernelWith, stdioServer } from './kernel-with.ts';

describe('the gauge of processes of MCP servers', () => {
  it('counts those that run, of all servers, and none that has died or was never there', async () => {
    const kernel = await kernelWith({
      shop: stdioServer('plain'),
      other: stdioServer('plain'),
      bad: { command: '/nowhere/server', pin: 'first-use' },
    });
    const children = gaugeOf(kernel, 'upstreams.children');
    expect(await children.read()).to.equal(2);
    await rejection(kernel.call({ tool: 'shop_die', parameters: {} }), 'OUTCOME_UNKNOWN');
    await until(async () => ((await children.read()) === 1 ? true : undefined));
    await kernel.call({ tool: 'shop_echo', parameters: { text: 'again' } });
    expect(await children.read()).to.equal(2);
    await kernel.close();
    await until(async () => ((await children.read()) === 0 ? true : undefined));
  });
});
