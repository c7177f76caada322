import { expect } from 'chai';
import { Notifier } from '../../../plugins/store-postgres/notifier.ts';

/** A teller whose statements end when the test says so, by `resolve` or `reject`. */
function tellerOf() {
  const sent: { readonly keys: readonly string[]; readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  const teller = new Notifier((keys) => new Promise<void>((resolve, reject) => sent.push({ keys, resolve, reject })));
  const keysSent = (): readonly (readonly string[])[] => sent.map(({ keys }) => keys);
  return { teller, sent, keysSent };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('telling others what was written', () => {
  it('is one statement for all keys of a moment, and for all that come while the one before is on its way', async () => {
    const { teller, sent, keysSent } = tellerOf();
    const first = [teller.notify(['a']), teller.notify(['b', 'a'])];
    await turn();
    const second = [teller.notify(['c']), teller.notify(['a'])];
    await turn();
    expect(keysSent()).to.deep.equal([['a', 'b']]);
    sent[0]?.resolve();
    await Promise.all(first);
    await turn();
    expect(keysSent()).to.deep.equal([
      ['a', 'b'],
      ['c', 'a'],
    ]);
    sent[1]?.resolve();
    await Promise.all(second);
  });

  it('resolves when it is done, not before', async () => {
    const { teller, sent } = tellerOf();
    let isTold = false;
    const told = teller.notify(['a']).then(() => {
      isTold = true;
    });
    await turn();
    expect(isTold).to.equal(false);
    sent[0]?.resolve();
    await told;
  });

  it('fails for those whose statement failed, and goes on', async () => {
    const { teller, sent, keysSent } = tellerOf();
    const first = teller.notify(['a']).catch((error: Error) => error.message);
    await turn();
    const second = teller.notify(['b']);
    sent[0]?.reject(new Error('the connection broke'));
    expect(await first).to.equal('the connection broke');
    await turn();
    sent[1]?.resolve();
    await second;
    expect(keysSent()).to.deep.equal([['a'], ['b']]);
  });
});
