import { expect } from 'chai';
import { afterEach, afterFile, atLast, Cleanups } from './after-each.ts';

describe('the cleanups after a test', () => {
  it('come in their order, and those that remove things behind all others, whoever came first', async () => {
    const cleanups = new Cleanups();
    const done: string[] = [];
    cleanups.addLast(() => done.push('folder'));
    cleanups.add(async () => {
      await new Promise(setImmediate);
      done.push('kernel');
    });
    cleanups.add(() => done.push('server'));
    await cleanups.run();
    expect(done).to.deep.equal(['kernel', 'server', 'folder']);
  });

  it('are done also when one of them fails, which then fails the test', async () => {
    const cleanups = new Cleanups();
    const done: string[] = [];
    for (const name of ['one', 'two'])
      cleanups.add(() => {
        throw new Error(`${name} is stuck`);
      });
    cleanups.add(() => done.push('three'));
    const failure = await cleanups.run().catch((error: Error) => error.message);
    expect(failure).to.equal('Error: one is stuck; Error: two is stuck');
    expect(done).to.deep.equal(['three']);
  });

  for (const register of [afterEach, atLast, afterFile])
    it(`are not registered by ${register.name} while a test runs`, function () {
      expect(() => register(() => {})).to.throw(`${register.name}() was called while the test "${this.test?.fullTitle()}" ran`);
    });
});
