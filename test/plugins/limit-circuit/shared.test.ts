import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { CallOutput, Kernel, PluginEntry } from '../../../kernel/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { guardOutbound } from '../../../plugins/guard-outbound/index.ts';
import { limitCircuit } from '../../../plugins/limit-circuit/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { json, loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { type SharedState, sharedState, unreachableState } from '../../support/shared-state.ts';
import { stoppedDate } from '../../support/stopped-date.ts';
import { testKernel } from '../../support/test-kernel.ts';
import { until } from '../../support/until.ts';

/** How long a circuit is open: what processes say of it is in the store for twice as long, by the clock of the database. */
const resetTimeoutMs = 3_600_000;

interface Failing {
  readonly url: string;
  readonly requests: readonly unknown[];
  readonly waiting: ServerResponse[];
  answer: number | 'wait';
}

/** A service that answers 503 until it is told something else. */
async function failing(): Promise<Failing> {
  const waiting: ServerResponse[] = [];
  const { url, requests } = await loopback((_request, response) => {
    if (made.answer === 'wait') waiting.push(response);
    else json(response, {}, made.answer);
  });
  const made: Failing = { url, requests, waiting, answer: 503 };
  return made;
}

interface Process {
  readonly kernel: Kernel;
  readonly logger: ReturnType<typeof memoryLogger>;
  call(caller?: string): Promise<CallOutput>;
  /** Resolves when so many circuits are not closed. */
  untilOpen(count: number): Promise<true>;
}

async function start({ url }: Failing, store: PluginEntry): Promise<Process> {
  const logger = memoryLogger();
  const kernel = await testKernel({
    logger,
    tools: [{ name: 'get', description: 'Gets.', execution: { type: 'http', method: 'get', url } }],
    // The plugin is applied before it knows of the store.
    plugins: [executorHttp(), guardOutbound({ allowHosts: ['127.0.0.1'] }), limitCircuit({ maxFailures: 2, resetTimeoutMs }), store],
  });
  return {
    kernel,
    logger,
    call: (caller = 'ada') => kernel.call({ tool: 'get', caller }),
    untilOpen: (count) =>
      until(() => {
        const { notClosed } = kernel.status()['circuits'] as { notClosed: unknown[] };
        return notClosed.length === count ? true : undefined;
      }),
  };
}

/** Two processes that know of each other, the first of which has opened its circuit. */
async function opened(state: SharedState): Promise<readonly [Failing, Process, Process]> {
  const service = await failing();
  const [one, other] = [await start(service, state.plugin()), await start(service, state.plugin())];
  service.answer = 200;
  await Promise.all([one.call(), other.call()]);
  service.answer = 503;
  for (const _ of [1, 2]) await rejection(one.call(), 'UPSTREAM_UNAVAILABLE');
  return [service, one, other];
}

describe('limit-circuit: with a store that processes share', () => {
  const date = stoppedDate();

  it('is open in all when it opens in one', async () => {
    const [service, , other] = await opened(await sharedState());
    await other.untilOpen(1);
    const before = service.requests.length;
    const error = await rejection(other.call(), 'UPSTREAM_UNAVAILABLE');
    expect(error.message).to.include('was not asked');
    expect(error.details.retryAfterMs).to.be.within(3_000_000, 3_600_000);
    expect(service.requests.length).to.equal(before);
  });

  it('is open in one that starts later, from its first request on', async () => {
    const state = await sharedState();
    const [service, , other] = await opened(state);
    await other.untilOpen(1);
    const late = await start(service, state.plugin());
    const before = service.requests.length;
    expect((await rejection(late.call(), 'UPSTREAM_UNAVAILABLE')).message).to.include('was not asked');
    expect(service.requests.length).to.equal(before);
  });

  for (const aheadMs of [-60_000, 60_000]) {
    it(`is open for as long in a process whose clock is ${aheadMs / 1000} s ahead`, async () => {
      const state = await sharedState();
      const [service, , other] = await opened(state);
      await other.untilOpen(1);
      date.setBack(-aheadMs);
      const late = await start(service, state.plugin());
      const error = await rejection(late.call(), 'UPSTREAM_UNAVAILABLE');
      expect(error.details.retryAfterMs).to.be.within(resetTimeoutMs - 30_000, resetTimeoutMs);
    });
  }

  it('is of one tenant, in all of them', async () => {
    const [service, one, other] = await opened(await sharedState());
    await other.untilOpen(1);
    service.answer = 200;
    await Promise.all([one.call('bob'), other.call('bob')]);
  });

  it('closes in all when a trial of one goes well', async () => {
    const [service, one, other] = await opened(await sharedState());
    await other.untilOpen(1);
    date.tick(resetTimeoutMs);
    service.answer = 200;
    await one.call();
    await other.untilOpen(0);
    await other.call();
  });

  it('is tried by one of them, while the others are refused', async () => {
    const [service, one, other] = await opened(await sharedState());
    await other.untilOpen(1);
    date.tick(resetTimeoutMs);
    service.answer = 'wait';
    const before = service.requests.length;
    const trial = one.call();
    await until(() => service.waiting[0]);
    expect((await rejection(other.call(), 'UPSTREAM_UNAVAILABLE')).details.retryAfterMs).to.equal(1000);
    expect(service.requests.length).to.equal(before + 1);
    service.waiting[0]?.end('{}');
    await trial;
    await other.untilOpen(0);
  });

  it('is that of the process alone while the store cannot be reached, which is logged once', async () => {
    const service = await failing();
    const state = unreachableState();
    const [one, other] = [await start(service, state.plugin()), await start(service, state.plugin())];
    for (const _ of [1, 2]) await rejection(one.call(), 'UPSTREAM_UNAVAILABLE');
    expect((await rejection(one.call(), 'UPSTREAM_UNAVAILABLE')).message).to.include('was not asked');
    service.answer = 200;
    await other.call();
    expect(service.requests.length).to.equal(3);
    const said = one.logger.records.filter(({ message }) => message.includes('each process has circuits of its own'));
    expect(said).to.have.length(1);
  });
});
