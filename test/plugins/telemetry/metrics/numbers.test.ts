import { expect } from 'chai';
import sinon from 'sinon';
import { type Gauge, Registry } from '../../../../kernel/index.ts';
import { Numbers } from '../../../../plugins/telemetry/metrics/numbers.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { ownSeriesOf } from './metrics-text.ts';

describe('the numbers of a process', () => {
  it('are read once for all who ask meanwhile, and anew for who asks later', async () => {
    const read = sinon.stub<[], number>();
    read.onFirstCall().returns(1).onSecondCall().returns(2);
    const gauges: readonly Gauge[] = [{ name: 'waiting', description: 'waiting jobs', unit: '{job}', read }];
    const registry = new Registry();
    const numbers = new Numbers({ kernel: () => ({ registry, gauges, mask: (value) => value }), logger: memoryLogger() });
    const [one, other] = await Promise.all([numbers.read(), numbers.read()]);
    expect(one).to.equal(other);
    expect(ownSeriesOf(one?.text ?? '').get('toolkit_waiting')).to.equal(1);
    expect(ownSeriesOf((await numbers.read()).text).get('toolkit_waiting')).to.equal(2);
  });
});
