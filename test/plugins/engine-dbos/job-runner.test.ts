import { expect } from 'chai';
import type { CallStatus } from '../../../kernel/index.ts';
import { MemoryStore } from '../../../kernel/state/memory-store.ts';
import type { DbosQueue } from '../../../plugins/engine-dbos/dbos-queue.ts';
import { JobRunner } from '../../../plugins/engine-dbos/job-runner.ts';
import { encryptJob, type QueuedJob, workflowIdOf } from '../../../plugins/engine-dbos/queued-job.ts';
import { keys, newCallKey } from '../../../plugins/shared/calls/call-keys.ts';
import { type CallRecord, recordVersion } from '../../../plugins/shared/calls/call-record.ts';
import { CallRecords } from '../../../plugins/shared/calls/call-records.ts';
import { CallRun } from '../../../plugins/shared/calls/call-run.ts';
import { ChangeNotifier } from '../../../plugins/shared/calls/change-notifier.ts';
import { Cipher } from '../../../plugins/shared/keys/cipher.ts';
import { ProcessHeartbeat } from '../../../plugins/shared/state/process-heartbeat.ts';
import { ScriptedHost } from '../../../plugins/toolkit/testing/calls/scripted-host.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';

const name = { caller: 'ada', id: 'a' };
const runAt = Date.now() - 1000;
const place = newCallKey(name, runAt);
const turn: QueuedJob = { place, runAt, ahead: 0, looks: 0 };
const cipherOf = (byte: number): Cipher => new Cipher(() => [new Uint8Array(32).fill(byte)]);
const cipher = cipherOf(7);

const recordOf = (status: CallStatus, more: Partial<CallRecord> = {}): CallRecord => ({
  ...name,
  version: recordVersion,
  tool: 'act',
  parameters: {},
  origin: 'host',
  status,
  createdAt: runAt,
  runAt,
  attempts: status === 'running' ? 1 : 0,
  decisions: [],
  failures: 0,
  effect: 1,
  ...more,
});

describe('a turn of a call that DBOS gives to a process', () => {
  const made = async () => {
    const state = new MemoryStore(Date.now);
    const logger = memoryLogger();
    const host = new ScriptedHost(() => 'done');
    const puts: QueuedJob[] = [];
    const queue = { put: async (put: QueuedJob) => void puts.push(put) } as unknown as DbosQueue;
    const put = (at: string, call: { readonly runAt: number }) => queue.put({ place: at, runAt: call.runAt, ahead: 0, looks: 0 }, 0);
    const records = new CallRecords({ state, ttlMs: 3_600_000, logger, queue: () => ({ enqueue: put }) });
    const changes = new ChangeNotifier(state);
    const process = new ProcessHeartbeat(state);
    const parts = { state, host, logger, records, changes, process };
    const run = new CallRun({ ...parts, maxAttempts: 5, maxBytes: 1_000_000 });
    const turns = new JobRunner({ ...parts, run, queue, cipher });
    const carry = (of = turn): Promise<void> => turns.handle(workflowIdOf(of), encryptJob(of, cipher));
    const write = (record: CallRecord): Promise<void> => state.set(keys.call(place), JSON.stringify(record));
    return { state, logger, host, records, write, turns, puts, carry };
  };

  it('has the call made that waits for it, and is over', async () => {
    const { records, write, turns, carry, puts, host } = await made();
    await write(recordOf('waiting'));
    turns.open({ concurrency: 1 });
    await carry();
    expect((await records.read(place))?.record).to.include({ status: 'completed', attempts: 1 });
    expect(host.requests).to.have.length(1);
    expect(puts).to.deep.equal([]);
  });

  const over: readonly (readonly [string, CallRecord | undefined, Partial<QueuedJob>])[] = [
    ['whose call has another one by now', recordOf('waiting', { runAt: runAt + 1 }), {}],
    ['of somebody who came second with the same call', recordOf('waiting', { runAt: runAt - 1 }), {}],
    ['whose call is done', recordOf('completed', { endedAt: runAt }), {}],
    ['whose call was cancelled', recordOf('cancelled', { endedAt: runAt }), {}],
    ['whose call is put to a person', recordOf('asked'), {}],
    ['of a call that was never written', undefined, { looks: 60 }],
  ];
  for (const [which, record, more] of over)
    it(`${which} is over, and nothing is made`, async () => {
      const { write, turns, carry, puts, host } = await made();
      if (record !== undefined) await write(record);
      turns.open({ concurrency: 1 });
      await carry({ ...turn, ...more });
      expect([host.requests.length, puts]).to.deep.equal([0, []]);
    });

  const later: readonly (readonly [string, CallRecord | undefined, readonly string[]])[] = [
    ['of a call that is not written yet', undefined, ['*']],
    ['of a call that is to be made again, which is not written yet', recordOf('failed', { runAt: runAt - 1, endedAt: runAt }), ['*']],
    ['of a call that nobody here makes', recordOf('waiting'), ['mail_*']],
    ['of a call that a living process runs', recordOf('running', { by: 'another' }), ['*']],
  ];
  for (const [which, record, tools] of later)
    it(`${which} is looked at again later`, async () => {
      const { state, write, turns, carry, puts, host } = await made();
      if (record !== undefined) await write(record);
      await state.set('process/another', '');
      turns.open({ concurrency: 1, tools });
      await carry();
      expect([host.requests.length, puts]).to.deep.equal([0, [{ ...turn, looks: 1 }]]);
    });

  it('makes room for another one of a call whose process has died', async () => {
    const { records, write, turns, carry, puts } = await made();
    await write(recordOf('running', { by: 'another' }));
    turns.open({ concurrency: 1 });
    await carry();
    const { record } = (await records.read(place)) ?? {};
    expect(record).to.include({ status: 'waiting', failures: 1 });
    expect(puts).to.deep.equal([{ place, runAt: record?.runAt, ahead: 0, looks: 0 }]);
    expect(record?.runAt).to.be.greaterThan(runAt);
  });

  const foreign: readonly (readonly [string, unknown])[] = [
    ['made with another key', encryptJob(turn, cipherOf(8))],
    ['made for another call', encryptJob({ ...turn, place: 'another' }, cipher)],
    ['made for another turn of the call', encryptJob({ ...turn, runAt: runAt + 1 }, cipher)],
    ['no text', { place, runAt }],
    ['missing', undefined],
  ];
  for (const [which, input] of foreign)
    it(`is left alone where what it stands for was ${which}`, async () => {
      const { write, turns, logger, host } = await made();
      await write(recordOf('waiting'));
      turns.open({ concurrency: 1 });
      await turns.handle(workflowIdOf(turn), input);
      expect(host.requests).to.deep.equal([]);
      expect(logger.records.map(({ message }) => message).join()).to.include('not made with the key');
    });
});
