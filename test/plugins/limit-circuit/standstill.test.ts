import { expect } from 'chai';
import sinon from 'sinon';
import { Standstill } from '../../../plugins/limit-circuit/standstill.ts';
import { afterEach } from '../../support/after-each.ts';
import { rejection } from '../../support/rejection.ts';
import { callTimes, service } from './service.ts';

afterEach(() => sinon.restore());

describe('a standstill of the process', () => {
  /** Milliseconds that pass while the event loop goes on, and at once, before or after the request begins. */
  const cases = [
    { title: 'is none while timers fire in time', before: 0, running: 5000, stopped: 0, isSeen: false },
    { title: 'is none while they are late by less than a second', before: 0, running: 1000, stopped: 900, isSeen: false },
    { title: 'is seen at the end of the request, before any timer has fired', before: 0, running: 1000, stopped: 2000, isSeen: true },
    { title: 'says nothing about a request that begins after it', before: 2000, running: 1000, stopped: 0, isSeen: false },
  ];
  for (const { title, before, running, stopped, isSeen } of cases)
    it(title, () => {
      const clock = sinon.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      let standstillMs = 0;
      const standstill = new Standstill(() => clock.now + standstillMs);
      const earlier = standstill.observe();
      standstillMs += before;
      const request = standstill.observe();
      clock.tick(running);
      standstillMs += stopped;
      expect(request.end()).to.equal(isSeen);
      expect(earlier.end()).to.equal(before > 0 || isSeen);
      expect(clock.countTimers()).to.equal(0);
    });
});

describe('limit-circuit: calls that time out when the process wakes up', () => {
  for (const { stillMs, isOpen } of [
    { stillMs: 60_000, isOpen: false },
    { stillMs: 0, isOpen: true },
  ])
    it(`${isOpen ? 'open' : 'do not open'} the circuit after a standstill of ${stillMs} ms`, async () => {
      const it = await service({ options: { maxFailures: 3 }, timeoutMs: 3000 });
      it.answer = 'wait';
      const calls = [];
      for (const _ of Array(5)) {
        const arrived = it.arrived();
        calls.push(rejection(it.call(), 'TIMEOUT'));
        await arrived;
      }
      const now = performance.now.bind(performance);
      sinon.stub(performance, 'now').callsFake(() => now() + stillMs);
      it.clock.tick(3000 + stillMs);
      await Promise.all(calls);
      it.answer = 200;
      if (isOpen) await rejection(it.call(), 'UPSTREAM_UNAVAILABLE');
      else await it.call();
      expect(it.kernel.status()['circuits']).to.deep.equal({
        notClosed: isOpen ? [{ host: it.host, tenant: 'default', state: 'open' }] : [],
      });
    });

  it('a failure before the standstill counts', async () => {
    const it = await service({ options: { maxFailures: 2 } });
    it.answer = 503;
    await callTimes(2, it);
    expect((await rejection(it.call(), 'UPSTREAM_UNAVAILABLE')).message).to.include('was not asked');
  });
});
