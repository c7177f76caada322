import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { FileStore } from '../../../../plugins/accounts/grants/file-store.ts';
import { afterEach } from '../../../support/after-each.ts';
import { compiled } from '../../../support/compiled.ts';
import { grantsFolder } from './grant-samples.ts';

const opened: FileStore[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

function storeIn(folder: string): FileStore {
  const store = new FileStore(folder);
  opened.push(store);
  return store;
}

describe('a process that is killed inside the lock of a folder', () => {
  let program: string;
  before(async () => {
    program = await compiled('test/plugins/accounts/grants/lock-holder.ts');
  });

  for (const { step, left } of [
    { step: 'locked', left: undefined },
    { step: 'writing', left: undefined },
    { step: 'written', left: 'whole' },
  ])
    it(`lets the next ones go on, and loses nothing, when it has ${step === 'writing' ? 'begun to write' : step}`, async () => {
      const folder = await grantsFolder();
      const first = storeIn(folder);
      await first.compareAndSet('earlier', undefined, 'text');
      const holder = fork(program, { execArgv: [], env: { PATH: process.env['PATH'] ?? '', FOLDER: folder, STEP: step } });
      await once(holder, 'message');
      let isHeld = true;
      const waiting = [first, storeIn(folder), storeIn(folder)].flatMap((store, index) =>
        ['a', 'b', 'c'].map(async (name) => {
          const isWritten = await store.compareAndSet(`${name}-${index}`, undefined, 'text');
          return { isWritten, isHeld };
        }),
      );
      const ended = once(holder, 'exit');
      isHeld = false;
      holder.kill('SIGKILL');
      await ended;
      // A lock that is not freed would fail them after ten seconds.
      for (const outcome of await Promise.all(waiting)) expect(outcome).to.deep.equal({ isWritten: true, isHeld: false });
      expect(await first.get('earlier')).to.equal('text');
      expect(await first.get('of-the-holder')).to.equal(left);
      expect(await first.list('')).to.have.length(left === undefined ? 10 : 11);
      const names = await readdir(path.join(folder, 'entries'));
      expect(names.filter((name) => name.startsWith('.'))).to.deep.equal([]);
      expect(await readdir(path.join(folder, 'lock'))).to.have.length(1);
    });
});
