import { expect } from 'chai';
import { apiVersion, definePlugin, type Refusal } from '../../../kernel/index.ts';
import { addGauges } from '../../../plugins/mcp/gauges.ts';
import { mcp } from '../../../plugins/mcp/index.ts';
import { gaugeOf, rowsOf } from '../../support/gauges.ts';
import { bareKernel, testKernel } from '../../support/test-kernel.ts';
import { type Outgoing, send, wireServer } from './support/wire.ts';
import { WireClient } from './support/wire-client.ts';

describe('the gauge of sessions', () => {
  it('counts those that are open', async () => {
    const { port, kernel } = await wireServer();
    const sessions = gaugeOf(kernel, 'mcp.sessions');
    expect(await sessions.read()).to.equal(0);
    const [first] = [await WireClient.open(port), await WireClient.open(port)];
    expect(await sessions.read()).to.equal(2);
    expect((await first.end()).status).to.equal(200);
    expect(await sessions.read()).to.equal(1);
  });

  it('is unknown where nothing serves over HTTP', async () => {
    const kernel = await testKernel({ plugins: [mcp({ transport: 'http' })] });
    expect(await gaugeOf(kernel, 'mcp.sessions').read()).to.equal(undefined);
  });
});

describe('the gauge of refused requests', () => {
  const foreign: Readonly<Record<string, Outgoing>> = {
    token: { headers: { authorization: undefined } },
    host: { headers: { host: 'evil.example' } },
    origin: { headers: { origin: 'https://evil.example' } },
    size: { body: `"${'x'.repeat(4 * 1024 * 1024)}"` },
  };
  for (const [reason, outgoing] of Object.entries(foreign))
    it(`counts each by its reason, repeated ones with the report of them: ${reason}`, async () => {
      const { port, kernel } = await wireServer();
      await send(port, { body: 'no JSON' });
      expect(await rowsOf(kernel, 'http.refusals')).to.deep.equal({});
      for (let n = 0; n < 3; n++) await send(port, outgoing);
      expect(await rowsOf(kernel, 'http.refusals')).to.deep.equal({ [reason]: 1 });
      await kernel.close();
      expect(await rowsOf(kernel, 'http.refusals')).to.deep.equal({ [reason]: 3 });
    });

  it('has one row for all reasons that are not known', async () => {
    const plugin = definePlugin({ name: 'counting', apiVersion, apply: (api) => addGauges(api, () => ({})) });
    const kernel = await bareKernel({ plugins: [plugin()] });
    const refusal = (reason: string): Refusal => ({ reason, address: '', count: 2 });
    for (const reason of ['made-up', '__proto__', 'token']) kernel.reportRefusal(refusal(reason));
    expect(await rowsOf(kernel, 'http.refusals')).to.deep.equal({ token: 2, _OTHER: 4 });
  });
});
