import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { waitToSpawn } from '../../../../plugins/shared/process/spawn-gate.ts';

describe('a turn to start a process', () => {
  it('is there at once where nobody has it', async () => {
    await turn();
    let isMine = false;
    void waitToSpawn().then(() => (isMine = true));
    await Promise.resolve();
    await Promise.resolve();
    expect(isMine).to.equal(true);
  });

  it('comes to several one by one, in their order, with a turn of the event loop for the others in between', async () => {
    await turn();
    const happened: string[] = [];
    let isDone = false;
    const others = (): void => {
      happened.push('-');
      if (!isDone) setImmediate(others);
    };
    setImmediate(others);
    const all = ['a', 'b', 'c'].map((name) => waitToSpawn().then(() => happened.push(name)));
    await Promise.all(all);
    isDone = true;
    expect(happened.join('').replaceAll(/-+/g, '-')).to.match(/^-?a-b-c/);
  });
});
