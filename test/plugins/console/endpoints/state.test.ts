import { expect } from 'chai';
import { apiVersion, definePlugin, type Gauge, type Kernel } from '../../../../kernel/index.ts';
import { stateEndpoints } from '../../../../plugins/console/endpoints/state.ts';
import type { ShownGauge, StatePage } from '../../../../plugins/console/wire/state.ts';
import { engineLocal } from '../../../../plugins/engine-local/index.ts';
import { limitCircuit } from '../../../../plugins/limit-circuit/index.ts';
import { limitRate } from '../../../../plugins/limit-rate/index.ts';
import { mcp } from '../../../../plugins/mcp/index.ts';
import { sharedState } from '../../../support/shared-state.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';
import { askEndpoint } from './ask-endpoint.ts';

const pageOf = (kernel: Kernel): Promise<StatePage> => askEndpoint(stateEndpoints, 'GET state', kernel);

/** A kernel with a plugin that states these numbers and this status. */
function measured(gauges: readonly Gauge[], status: () => Record<string, never> = () => ({})): Promise<Kernel> {
  const plugin = definePlugin({
    name: 'measured',
    apiVersion,
    apply({ extend }) {
      for (const gauge of gauges) extend.gauge(gauge);
      extend.status('measured', status);
    },
  });
  return testKernel({ plugins: [plugin()] });
}

const gauge = (name: string, read: Gauge['read']): Gauge => ({ name, description: 'A number.', unit: '{thing}', read });

const fail = (message: string) => () => {
  throw new Error(message);
};

function gaugeOf({ gauges }: StatePage, name: string): ShownGauge {
  return gauges.find((one) => one.name === name) ?? expect.fail(`no gauge ${name}`);
}

describe('the state on the console', () => {
  it('has the sessions, limits, circuits and queues of a server', async () => {
    const kernel = await testKernel({
      plugins: [(await sharedState()).plugin(), mcp({ transport: 'http', port: 0 }), limitRate(), limitCircuit(), engineLocal()],
      tools: [echoTool({ rate_limit: { concurrency: 1 } })],
    });
    await kernel.execute('echo', { text: 'a' });
    await kernel.serve();
    const page = await pageOf(kernel);
    expect(page.status).to.include.all.keys('sessions', 'queues', 'circuits');
    expect(page.status).to.have.nested.property('sessions.open', 0);
    for (const name of ['mcp.sessions', 'limits.waiting', 'calls.running'])
      expect(gaugeOf(page, name)).to.deep.include({ kind: 'gauge', rows: [{ labels: {}, value: 0 }] });
    expect(gaugeOf(page, 'circuits').rows).to.deep.include({ labels: { state: 'open' }, value: 0 });
    expect(gaugeOf(page, 'calls.durable').rows.map(({ labels }) => labels['status'])).to.have.members(['waiting', 'running', 'asked']);
    expect(gaugeOf(page, 'http.refusals').kind).to.equal('counter');
  });

  it('has the reason for a number that cannot be read, and all others', async () => {
    const kernel = await measured([
      gauge('broken', fail('the meter is broken')),
      gauge('late', () => Promise.reject(new Error('no answer'))),
      gauge('unknown', () => undefined),
      gauge('whole', () => 7),
    ]);
    const page = await pageOf(kernel);
    expect(gaugeOf(page, 'broken')).to.deep.include({ rows: [], failure: 'the meter is broken' });
    expect(gaugeOf(page, 'late')).to.deep.include({ rows: [], failure: 'no answer' });
    expect(gaugeOf(page, 'unknown')).to.deep.include({ rows: [] }).and.not.have.property('failure');
    expect(gaugeOf(page, 'whole').rows).to.deep.equal([{ labels: {}, value: 7 }]);
  });

  it('has the numbers where a status cannot be read', async () => {
    const page = await pageOf(await measured([gauge('whole', () => 7)], fail('the status is broken')));
    expect(page).to.deep.include({ status: {}, failure: 'the status is broken' });
    expect(gaugeOf(page, 'whole').rows).to.deep.equal([{ labels: {}, value: 7 }]);
  });
});
