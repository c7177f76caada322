import { expect } from 'chai';
import { InFlight } from '../../../kernel/index.ts';

describe('what is in flight', () => {
  it('is there until it is taken out, however much came and went meanwhile', () => {
    const inFlight = new InFlight<number, string>();
    inFlight.set(-1, 'long');
    for (let call = 0; call < 5000; call++) {
      inFlight.set(call, `call ${call}`);
      if (call >= 32) expect(inFlight.delete(call - 32)).to.equal(true);
    }
    expect(inFlight.size).to.equal(33);
    expect(inFlight.get(-1)).to.equal('long');
    expect(inFlight.get(4999)).to.equal('call 4999');
    expect(inFlight.get(0)).to.equal(undefined);
    expect([inFlight.has(4999), inFlight.has(0)]).to.deep.equal([true, false]);
    expect(inFlight.values()[0]).to.equal('long');
    expect(inFlight.entries().at(-1)).to.deep.equal([4999, 'call 4999']);
  });

  it('is the last one of its key, and taken out once', () => {
    const inFlight = new InFlight<string, number>();
    inFlight.set('a', 1);
    inFlight.set('a', 2);
    expect(inFlight.get('a')).to.equal(2);
    expect([inFlight.delete('a'), inFlight.delete('a'), inFlight.size]).to.deep.equal([true, false, 0]);
  });

  it('may be taken out while those of a moment are gone through', () => {
    const inFlight = new InFlight<number, number>();
    for (let call = 0; call < 2000; call++) inFlight.set(call, call);
    for (const call of inFlight.values()) inFlight.delete(call);
    expect(inFlight.size).to.equal(0);
    inFlight.set(1, 1);
    inFlight.clear();
    expect(inFlight.size).to.equal(0);
  });

  it('says when nothing is left, to all that wait for it', async () => {
    const inFlight = new InFlight<number, number>();
    await inFlight.empty();
    const told: string[] = [];
    inFlight.set(1, 1);
    inFlight.set(2, 2);
    const both = [inFlight.empty().then(() => told.push('first')), inFlight.empty().then(() => told.push('second'))];
    inFlight.delete(1);
    await new Promise(setImmediate);
    expect(told).to.deep.equal([]);
    inFlight.delete(2);
    await Promise.all(both);
    expect(told).to.deep.equal(['first', 'second']);
    inFlight.set(3, 3);
    const cleared = inFlight.empty();
    inFlight.clear();
    await cleared;
  });
});
