import { expect } from 'chai';
import { MemoryStore } from '../../../kernel/state/memory-store.ts';
import { moveIntents } from '../../../plugins/calls-once/move-intents.ts';

describe('moving intents to another store', () => {
  const count = 450;
  const keyOf = (one: number): string => `intent/${String(one).padStart(4, '0')}`;

  it('copies all, leaves them where they are, and counts the same at a second run', async () => {
    const [from, to] = [new MemoryStore(Date.now), new MemoryStore(Date.now)];
    for (let one = 0; one < count; one++) await from.set(keyOf(one), `{"state":"done","number":${one}}`);
    for (let run = 0; run < 2; run++)
      expect(await moveIntents({ from, to, ttlMs: 60_000 })).to.deep.equal({ moved: count, known: 0, later: 0 });
    expect(await to.list('intent/')).to.deep.equal(await from.list('intent/'));
  });

  it('does not write over a later attempt of the same name', async () => {
    const [from, to] = [new MemoryStore(Date.now), new MemoryStore(Date.now)];
    await from.set(keyOf(1), '{"state":"begun","attempt":{"id":"a"}}');
    await to.set(keyOf(1), '{"state":"done"}');
    expect(await moveIntents({ from, to, ttlMs: 60_000 })).to.deep.equal({ moved: 0, known: 1, later: 0 });
    expect(await to.get(keyOf(1))).to.equal('{"state":"done"}');
  });

  it('has an open attempt timed anew, because its timer stays in the other store', async () => {
    const [from, to] = [new MemoryStore(Date.now), new MemoryStore(Date.now)];
    await from.set(keyOf(1), '{"state":"unknown","attempt":{"id":"a","isTimed":true}}');
    for (let run = 0; run < 2; run++)
      expect(await moveIntents({ from, to, ttlMs: 60_000 })).to.deep.equal({ moved: 1, known: 0, later: 0 });
    expect(await to.get(keyOf(1))).to.equal('{"state":"unknown","attempt":{"id":"a"}}');
  });
});
