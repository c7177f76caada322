import { expect } from 'chai';
import sinon from 'sinon';
import type { Gauge } from '../../../../kernel/index.ts';
import { GaugeReader } from '../../../../plugins/telemetry/metrics/gauge-reader.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';

const gauge = (name: string, read: Gauge['read']): Gauge => ({ name, description: name, unit: '1', read });

describe('a gauge that does not answer', () => {
  let clock: sinon.SinonFakeTimers;

  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });

  afterEach(() => clock.restore());

  it('is left out after two seconds in all, and is not read again until it has answered', async () => {
    const answers: ((value: number) => void)[] = [];
    const hang = sinon.spy(() => new Promise<number>((resolve) => answers.push(resolve)));
    const hanging = [gauge('a', hang), gauge('b', () => new Promise<number>(() => {}))];
    const well = gauge('c', async () => 3);
    const logger = memoryLogger();
    const reader = new GaugeReader({ logger, mask: String });
    const names = async (limitMs: number): Promise<readonly string[]> => {
      const known = reader.read([...hanging, well]);
      await clock.tickAsync(limitMs);
      return [...(await known).keys()].map(({ name }) => name);
    };
    expect(await names(2000)).to.deep.equal(['c']);
    expect(await names(2000)).to.deep.equal(['c']);
    expect(hang.callCount).to.equal(1);
    expect(logger.records.map(({ message }) => message)).to.deep.equal(
      ['a', 'b'].map((name) => `the number "${name}" cannot be read and is left out: no answer within 2000 ms`),
    );
    const third = names(2000);
    answers[0]?.(1);
    expect(await third).to.have.members(['a', 'c']);
    expect(clock.countTimers()).to.equal(0);
  });

  it('is no reason to wait for the others, which are read at the same time', async () => {
    const begun: string[] = [];
    const slow = (name: string) =>
      gauge(name, () => {
        begun.push(name);
        return new Promise<number>((resolve) => setTimeout(resolve, 1500, 1));
      });
    const read = new GaugeReader({ logger: memoryLogger(), mask: String }).read(['a', 'b', 'c'].map(slow));
    expect(begun).to.deep.equal(['a', 'b', 'c']);
    await clock.tickAsync(1500);
    expect((await read).size).to.equal(3);
  });
});
