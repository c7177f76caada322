import { expect } from 'chai';
import type { StateStore } from '../../../../kernel/index.ts';
import { MemoryStore } from '../../../../kernel/state/memory-store.ts';
import { keys, newCallKey } from '../../../../plugins/shared/calls/call-keys.ts';
import { recordVersion } from '../../../../plugins/shared/calls/call-record.ts';
import { CallRecords } from '../../../../plugins/shared/calls/call-records.ts';
import { moveCalls } from '../../../../plugins/shared/calls/move-calls.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { callRecord } from '../../../support/call-record.ts';

describe('moving durable calls to another engine', () => {
  const recordsOf = (state: StateStore, enqueued: string[] = []): CallRecords =>
    new CallRecords({
      state,
      ttlMs: 3_600_000,
      logger: memoryLogger(),
      queue: () => ({ enqueue: async (callKey) => void enqueued.push(callKey) }),
    });
  const keyOf = (id: string): string => newCallKey({ caller: 'ada', id }, 1);
  const stores = () => ({ from: new MemoryStore(Date.now), state: new MemoryStore(Date.now) });

  it('enqueues what waits, keeps results beside their records, and leaves nothing behind', async () => {
    const { from, state } = stores();
    const earlier = recordsOf(from);
    await earlier.add(keyOf('a'), callRecord('a'));
    const result = { output: 'x'.repeat(10_000) };
    await earlier.storeResult(keyOf('b'), 1, result, JSON.stringify(result));
    await earlier.add(keyOf('b'), callRecord('b', { status: 'completed', resultOf: 1 }));
    const enqueued: string[] = [];
    const to = recordsOf(state, enqueued);
    expect(await moveCalls({ from, state, to, logger: memoryLogger() })).to.deep.equal({ moved: 2, known: 0, later: 0 });
    expect(enqueued).to.deep.equal([keyOf('a')]);
    expect(await to.result(await to.get({ caller: 'ada', id: 'b' }))).to.deep.equal(result);
    expect(await from.list('')).to.deep.equal([]);
  });

  it('goes on where it was interrupted, and does not take back what has happened since', async () => {
    const { from, state } = stores();
    await recordsOf(from).add(keyOf('a'), callRecord('a'));
    const to = recordsOf(state);
    await to.add(keyOf('a'), callRecord('a', { status: 'completed', attempts: 1 }));
    expect(await moveCalls({ from, state, to, logger: memoryLogger() })).to.deep.include({ moved: 1 });
    expect((await to.get({ caller: 'ada', id: 'a' })).record.status).to.equal('completed');
    expect(await from.list('')).to.deep.equal([]);
  });

  it('does not bring back a call that it had written before a break, and that has ended and expired since', async () => {
    const { from, state } = stores();
    await recordsOf(from).add(keyOf('a'), callRecord('a'));
    await state.set(keys.moved(keyOf('a')), '');
    const enqueued: string[] = [];
    expect(await moveCalls({ from, state, to: recordsOf(state, enqueued), logger: memoryLogger() })).to.deep.include({ moved: 1 });
    expect([enqueued, await from.list(''), await state.list('call/')]).to.deep.equal([[], [], []]);
  });

  it('moves each call once, however many move', async () => {
    const { from, state } = stores();
    for (let call = 0; call < 50; call++) await recordsOf(from).add(keyOf(`${call}`), callRecord(`${call}`));
    const enqueued: string[] = [];
    await Promise.all([1, 2, 3].map(() => moveCalls({ from, state, to: recordsOf(state, enqueued), logger: memoryLogger() })));
    expect(enqueued).to.have.length(50);
    expect(new Set(enqueued).size).to.equal(50);
    expect(await from.list('')).to.deep.equal([]);
  });

  it('leaves alone what the other engine has under the same name, and what a later version wrote, and says so', async () => {
    const { from, state } = stores();
    await recordsOf(from).add(keyOf('a'), callRecord('a'));
    await from.set(keys.call(keyOf('later')), JSON.stringify(callRecord('later', { version: recordVersion + 1 })));
    const to = recordsOf(state);
    await to.add(newCallKey({ caller: 'ada', id: 'a' }, 2), callRecord('a', { tool: 'other' }));
    const logger = memoryLogger();
    expect(await moveCalls({ from, state, to, logger })).to.deep.equal({ moved: 0, known: 1, later: 1 });
    expect((await to.get({ caller: 'ada', id: 'a' })).record.tool).to.equal('other');
    expect(await from.list('call/')).to.have.length(2);
    expect(logger.records.map(({ message }) => message).join('\n')).to.include('2 durable calls stay where they were');
  });
});
