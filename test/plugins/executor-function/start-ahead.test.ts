import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Call, CallContext, ExecutionResult } from '../../../kernel/index.ts';
import { type Job, type PooledWorker, WorkerPool } from '../../../plugins/executor-function/worker-pool.ts';
import { until } from '../../support/until.ts';

/** A worker whose job goes on until it is released. */
class HeldWorker implements PooledWorker {
  readonly isAlive = true;
  readonly ended = new Promise<void>(() => {});
  release: () => void = () => {};

  async run(_job: Job, begins: () => void): Promise<ExecutionResult> {
    begins();
    await new Promise<void>((resolve) => {
      this.release = resolve;
    });
    return { output: 'done' };
  }

  async end(): Promise<void> {}
}

const tool = { name: 'it', origin: {} } as Call['tool'];
const job: Job = {
  code: { file: '/it.mjs' } as Job['code'],
  call: { tool } as Call,
  context: { tenant: 'ada', signal: new AbortController().signal, pauseClock: () => () => {} } as unknown as CallContext,
};

describe('a worker that is started ahead of its call', () => {
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown): void => void rejections.push(reason);
  before(() => process.on('unhandledRejection', onRejection));
  after(() => process.off('unhandledRejection', onRejection));

  it('ends nothing where it cannot be started: the call takes the next one that is free', async () => {
    const started: HeldWorker[] = [];
    let refused = 0;
    const pool = new WorkerPool({
      resource: 'workers',
      optionName: 'maxWorkers',
      slots: 1,
      maxQueued: 10,
      maxWaitMs: 60_000,
      spareWorkers: 1,
      start() {
        if (started.length > 0) {
          refused++;
          throw new Error('no more descriptors');
        }
        const worker = new HeldWorker();
        started.push(worker);
        return worker;
      },
    });
    const first = pool.run(job);
    await until(() => started[0]);
    const second = pool.run(job);
    await until(() => refused || undefined);
    await turn();
    started[0]?.release();
    expect((await first).output).to.equal('done');
    await until(() => pool.status['running'] === 1 || undefined);
    await turn();
    started[0]?.release();
    expect((await second).output).to.equal('done');
    expect(rejections).to.deep.equal([]);
  });
});
