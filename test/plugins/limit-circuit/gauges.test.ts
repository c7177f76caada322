import { expect } from 'chai';
import { rowsOf } from '../../support/gauges.ts';
import { callTimes, service } from './service.ts';

describe('the gauge of circuits', () => {
  it('counts them by state, while one opens, tries and closes', async () => {
    const it = await service({ options: { resetTimeoutMs: 100 } });
    const states = (): Promise<Readonly<Record<string, number>>> => rowsOf(it.kernel, 'circuits');
    expect(await states()).to.deep.equal({});
    await it.call();
    expect(await states()).to.deep.equal({ closed: 1 });
    await it.call({ tenant: 'another' });
    it.answer = 503;
    await callTimes(5, it);
    expect(await states()).to.deep.equal({ closed: 1, open: 1 });
    it.clock.tick(100);
    it.answer = 'wait';
    const arrived = it.arrived();
    const trial = it.call();
    await arrived;
    expect(await states()).to.deep.equal({ closed: 1, half_open: 1 });
    it.waiting[0]?.end();
    await trial;
    expect(await states()).to.deep.equal({ closed: 2 });
  });
});
