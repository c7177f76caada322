import { expect } from 'chai';
import type { Liveness } from '../../../../kernel/index.ts';
import { MemoryStore } from '../../../../kernel/state/memory-store.ts';
import { keys, newCallKey } from '../../../../plugins/shared/calls/call-keys.ts';
import { type CallRecord, recordVersion } from '../../../../plugins/shared/calls/call-record.ts';
import { CallRecords, type ReadRecord } from '../../../../plugins/shared/calls/call-records.ts';
import { listCalls } from '../../../../plugins/shared/calls/list-calls.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { callRecord } from '../../../support/call-record.ts';

describe('a list of durable calls', () => {
  async function parts(...stored: readonly CallRecord[]) {
    const state = new MemoryStore(Date.now);
    const records = new CallRecords({ state, ttlMs: 3_600_000, logger: memoryLogger(), queue: () => ({}) });
    for (const one of stored) await records.add(newCallKey(one, one.createdAt), one);
    const asked: string[] = [];
    const process: Liveness = {
      id: 'here',
      enter: async () => {},
      leave: () => {},
      isDead: async () => false,
      isStalled: async (id) => {
        asked.push(id);
        return id === 'stopped';
      },
    };
    return { state, records, process, asked, effects: { settle: async (read: ReadRecord) => read } };
  }

  it('says which calls a process keeps that stands still, and asks each process once', async () => {
    const { asked, ...given } = await parts(
      ...['a', 'b'].map((id) => callRecord(id, { status: 'running', by: 'stopped' })),
      callRecord('c', { status: 'running', by: 'alive' }),
      callRecord('d'),
    );
    const { calls } = await listCalls(given, { asksProcesses: true });
    expect(calls.flatMap(({ id, isStalled }) => (isStalled === true ? [id] : [])).sort()).to.deep.equal(['a', 'b']);
    expect(asked.sort()).to.deep.equal(['alive', 'stopped']);
  });

  it('asks no process unless it is told to', async () => {
    const { asked, ...given } = await parts(callRecord('a', { status: 'running', by: 'stopped' }));
    expect((await listCalls(given, {})).calls[0]).to.not.have.property('isStalled');
    expect(asked).to.deep.equal([]);
  });

  it('counts the calls that a later version wrote', async () => {
    const { state, ...given } = await parts(callRecord('a'));
    for (const id of ['b', 'c'])
      await state.set(keys.call(newCallKey({ caller: 'ada', id }, 1)), JSON.stringify(callRecord(id, { version: recordVersion + 1 })));
    const page = await listCalls(given, {});
    expect(page.laterVersion).to.equal(2);
    expect(page.calls.map(({ id }) => id)).to.deep.equal(['a']);
  });
});
