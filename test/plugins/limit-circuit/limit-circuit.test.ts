import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { ToolkitError } from '../../../kernel/index.ts';
import { guardOutbound } from '../../../plugins/guard-outbound/index.ts';
import { limitCircuit } from '../../../plugins/limit-circuit/index.ts';
import { closedPort } from '../../support/closed-port.ts';
import { json, loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { type Answer, callTimes, opened, service } from './service.ts';

describe('limit-circuit: a service that fails', () => {
  for (const answer of [500, 502, 503, 504, 599, 0] satisfies Answer[]) {
    it(`is left alone after five requests in a row that end with ${answer === 0 ? 'a broken connection' : `a ${answer}`}`, async () => {
      const it = await service();
      it.answer = answer;
      await callTimes(5, it);
      it.answer = 200;
      const error = await rejection(it.call(), 'UPSTREAM_UNAVAILABLE');
      expect(error.message).to.equal(`${it.host} was not asked, because its last 5 requests failed. It is tried again in 30 s.`);
      expect(error.details).to.include({ retryAfterMs: 30_000, host: it.host, tool: 'get' });
      expect(error.retryable).to.equal(true);
      expect(it.requests).to.have.lengthOf(5);
    });
  }

  it('is left alone after requests that it did not answer in the time of the call', async () => {
    const it = await service({ options: { maxFailures: 2 }, timeoutMs: 1000 });
    it.answer = 'wait';
    for (const _ of [1, 2]) {
      const arrived = it.arrived();
      const running = rejection(it.call(), 'TIMEOUT');
      await arrived;
      it.clock.tick(1000);
      await running;
    }
    await setImmediate();
    expect((await rejection(it.call(), 'UPSTREAM_UNAVAILABLE')).message).to.include('was not asked');
  });

  it('is left alone when there is nobody at its port', async () => {
    const it = await service({ options: { maxFailures: 2 } });
    const port = await closedPort();
    const nobody = { tool: 'fetch', parameters: { url: `http://127.0.0.1:${port}` } };
    await rejection(it.call(nobody), 'EXECUTION_FAILED');
    await rejection(it.call(nobody), 'EXECUTION_FAILED');
    expect((await rejection(it.call(nobody), 'UPSTREAM_UNAVAILABLE')).message).to.include(`127.0.0.1:${port} was not asked`);
  });

  for (const answer of [200, 204, 304, 400, 401, 403, 404, 408, 429, 501] satisfies Answer[]) {
    it(`is asked on while it answers ${answer}`, async () => {
      const it = await service({ options: { maxFailures: 1 } });
      it.answer = answer;
      await callTimes(5, it);
      expect(it.requests).to.have.lengthOf(5);
    });
  }

  it('is asked on when something goes well between the failures', async () => {
    const it = await service({ options: { maxFailures: 2 } });
    for (const answer of [503, 200, 503, 404, 503, 200]) {
      it.answer = answer;
      await it.call().catch(() => {});
    }
    expect(it.requests).to.have.lengthOf(6);
  });

  it('ends the retries of a call', async () => {
    const it = await service({ options: { maxFailures: 2 }, definition: { retry: { attempts: 5, backoff: { initial_ms: 0 } } } });
    it.clock.restore();
    it.answer = 503;
    expect((await rejection(it.call(), 'UPSTREAM_UNAVAILABLE')).message).to.include('was not asked');
    expect(it.requests).to.have.lengthOf(2);
  });

  it('is named in the log when it is left alone, and when it is asked again', async () => {
    const it = await opened();
    it.answer = 200;
    it.clock.tick(30_000);
    await it.call();
    expect(
      it.records.filter(({ level }) => level === 'warn' || level === 'info').map(({ level, message }) => `${level} ${message}`),
    ).to.deep.equal([`warn ${it.host} failed 5 times in a row and is not asked for 30000 ms`, `info ${it.host} is asked again`]);
  });
});

describe('limit-circuit: what says nothing about the service', () => {
  it('is a call that its caller cancels', async () => {
    const it = await service({ options: { maxFailures: 1 } });
    it.answer = 'wait';
    const cancel = new AbortController();
    const arrived = it.arrived();
    const running = rejection(it.call({ signal: cancel.signal }), 'ABORTED');
    await arrived;
    cancel.abort();
    await running;
    it.answer = 200;
    await it.call();
  });

  it('is a time limit that its caller has asked for', async () => {
    const it = await service({ options: { maxFailures: 1 } });
    it.answer = 'wait';
    for (const _ of [1, 2]) {
      const arrived = it.arrived();
      const running = rejection(it.call({ tool: 'fetch', parameters: { url: it.url, timeout_ms: 100 } }), 'TIMEOUT');
      await arrived;
      it.clock.tick(100);
      await running;
    }
    it.answer = 200;
    await it.call();
  });

  it('is an address that the guard refuses', async () => {
    const it = await service({ plugins: [guardOutbound(), limitCircuit({ maxFailures: 1 })] });
    for (const _ of [1, 2]) await rejection(it.call({ tool: 'fetch', parameters: { url: 'http://10.0.0.1/' } }), 'OUTBOUND_BLOCKED');
  });

  for (const url of ['no url', 'ftp://127.0.0.1/', 'http://user:password@127.0.0.1/']) {
    it(`is a request to "${url}", which cannot be sent`, async () => {
      const it = await service({ options: { maxFailures: 1 } });
      for (const _ of [1, 2]) {
        const error = await it.call({ tool: 'fetch', parameters: { url } }).catch((thrown: ToolkitError) => thrown);
        expect(ToolkitError.is(error) && error.message)
          .to.be.a('string')
          .and.not.include('was not asked');
      }
    });
  }
});

describe('limit-circuit: circuits', () => {
  it('are of an origin: another port of the same host is asked on', async () => {
    const failing = await opened();
    const { url } = await loopback((_, response) => json(response, {}));
    const { output } = await failing.call({ tool: 'fetch', parameters: { url } });
    expect(output).to.equal(200);
    await rejection(failing.call(), 'UPSTREAM_UNAVAILABLE');
  });

  it('are of a tenant: the failures of one leave the service open to the others, and the state says whose they are', async () => {
    const it = await service();
    it.answer = 503;
    for (const _ of Array(5)) await it.call({ caller: 'ada', tenant: 'session 1' }).catch(() => {});
    it.answer = 200;
    await rejection(it.call({ caller: 'ada', tenant: 'session 1' }), 'UPSTREAM_UNAVAILABLE');
    await it.call({ caller: 'ada', tenant: 'session 2' });
    await it.call({ caller: 'bob' });
    const { circuits } = it.kernel.status();
    expect(circuits).to.deep.equal({ notClosed: [{ host: it.host, tenant: 'session 1', state: 'open' }] });
  });

  it('are not pushed out by a tenant who asks many services', async () => {
    const it = await service({ options: { maxCircuits: 3, maxFailures: 1 } });
    it.answer = 503;
    await rejection(it.call({ caller: 'bob' }), 'UPSTREAM_UNAVAILABLE');
    for (const _ of Array(5)) {
      const url = `http://127.0.0.1:${await closedPort()}`;
      await it.call({ tool: 'fetch', parameters: { url }, caller: 'ada' }).catch(() => {});
    }
    expect((await rejection(it.call({ caller: 'bob' }), 'UPSTREAM_UNAVAILABLE')).message).to.include('was not asked');
  });

  it('are not more than maxCircuits: the one that was not used for longest is forgotten', async () => {
    const it = await opened({ maxCircuits: 2 });
    const localhost = it.url.replace('127.0.0.1', 'localhost');
    const dead = `http://127.0.0.1:${await closedPort()}`;
    const fetch = async (url: string): Promise<unknown> => it.call({ tool: 'fetch', parameters: { url } });
    it.answer = 200;
    await fetch(localhost);
    await rejection(it.call(), 'UPSTREAM_UNAVAILABLE');
    await fetch(dead).catch(() => {});
    await rejection(it.call(), 'UPSTREAM_UNAVAILABLE');
    await fetch(localhost);
    await fetch(dead).catch(() => {});
    await it.call();
  });
});
