import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { opened } from './service.ts';

describe('limit-circuit: when the time is over', () => {
  it('is not before', async () => {
    const it = await opened();
    it.answer = 200;
    it.clock.tick(29_999);
    expect((await rejection(it.call(), 'UPSTREAM_UNAVAILABLE')).details.retryAfterMs).to.equal(1);
    it.clock.tick(1);
    await it.call();
    await it.call();
    expect(it.requests).to.have.lengthOf(7);
  });

  it('one request tries, while the others are refused', async () => {
    const it = await opened({ resetTimeoutMs: 100 });
    it.clock.tick(100);
    it.answer = 'wait';
    const arrived = it.arrived();
    const trial = it.call();
    await arrived;
    const error = await rejection(it.call(), 'UPSTREAM_UNAVAILABLE');
    expect(error.details.retryAfterMs).to.equal(1000);
    it.answer = 200;
    it.waiting[0]?.end();
    await trial;
    await it.call();
    expect(it.requests).to.have.lengthOf(7);
  });

  it('one failure is enough to leave the service alone again', async () => {
    const it = await opened({ resetTimeoutMs: 100 });
    for (const round of [6, 7, 8]) {
      it.clock.tick(100);
      await rejection(it.call(), 'UPSTREAM_UNAVAILABLE');
      await rejection(it.call(), 'UPSTREAM_UNAVAILABLE');
      expect(it.requests).to.have.lengthOf(round);
    }
  });

  it('a trial that is cancelled proves nothing: the next failure opens the circuit again', async () => {
    const it = await opened({ resetTimeoutMs: 100 });
    it.clock.tick(100);
    it.answer = 'wait';
    const cancel = new AbortController();
    const arrived = it.arrived();
    const trial = rejection(it.call({ signal: cancel.signal }), 'ABORTED');
    await arrived;
    cancel.abort();
    await trial;
    it.answer = 503;
    await rejection(it.call(), 'UPSTREAM_UNAVAILABLE');
    expect((await rejection(it.call(), 'UPSTREAM_UNAVAILABLE')).message).to.include('was not asked');
    expect(it.requests).to.have.lengthOf(7);
  });
});
