import { readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { verifyTrail } from '../../../plugins/audit-trail/verify-trail.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { audited, recordsIn, writtenTrail } from './audited.ts';
import { formerPid } from './former-pid.ts';

describe('the lock of an audit trail', () => {
  it('refuses the calls of a second kernel until the first is closed', async () => {
    const first = await audited();
    await first.kernel.execute('echo');
    const second = await audited({ path: first.file });
    const error = await rejection(second.kernel.execute('echo'), 'POLICY_DENIED');
    expect(error.message).to.include('this process writes it already');
    await first.kernel.close();
    await second.kernel.execute('echo');
    // The refusal was recorded as soon as that was possible.
    expect((await recordsIn(first.file)).map(({ outcome }) => outcome)).to.deep.equal(['completed', 'POLICY_DENIED', 'completed']);
    expect((await verifyTrail(first.file)).problems).to.deep.equal([]);
  });

  it('is gone after the kernel is closed', async () => {
    const file = await writtenTrail(['a']);
    expect(await readdir(path.dirname(file))).to.deep.equal(['audit.jsonl', 'audit.jsonl.head']);
  });

  /** On other systems a process cannot be told from a later one with the same number. */
  const hiddenStart = process.platform === 'linux' ? {} : { refusal: 'writes it already' };

  const stale: { title: string; holder: () => Promise<unknown>; refusal?: string }[] = [
    { title: 'takes over the lock of a process that has ended', holder: async () => ({ pid: await formerPid(), host: hostname() }) },
    {
      title: 'takes over the lock of a process whose number another one has now',
      holder: async () => ({ pid: process.ppid, host: hostname(), start: '1' }),
      ...hiddenStart,
    },
    {
      title: 'takes over the lock of a former process of its own number',
      holder: async () => ({ pid: process.pid, host: hostname(), start: '1' }),
      ...hiddenStart,
    },
    {
      title: 'respects the lock of a process that runs',
      holder: async () => ({ pid: process.ppid, host: hostname() }),
      refusal: 'another process writes it already',
    },
    {
      title: 'respects the lock of another machine',
      holder: async () => ({ pid: await formerPid(), host: 'elsewhere' }),
      refusal: 'a process of another machine writes it already',
    },
    { title: 'respects a lock that it cannot read', holder: async () => 'hello', refusal: 'its lock cannot be taken' },
    { title: 'respects an empty lock', holder: async () => undefined, refusal: 'its lock cannot be taken' },
  ];
  for (const { title, holder, refusal } of stale) {
    it(title, async () => {
      const file = path.join(await temporaryFolder(), 'audit.jsonl');
      const written = await holder();
      await writeFile(`${file}.lock`, written === undefined ? '' : JSON.stringify(written));
      const { kernel } = await audited({ path: file });
      if (refusal === undefined) {
        await kernel.execute('echo');
        expect(JSON.parse(await readFile(`${file}.lock`, 'utf8'))).to.include({ pid: process.pid });
        return;
      }
      expect((await rejection(kernel.execute('echo'), 'POLICY_DENIED')).message).to.include(refusal);
      expect(await readdir(path.dirname(file))).to.deep.equal(['audit.jsonl.lock']);
    });
  }

  it('goes to one of many that come at once, after a crash', async () => {
    const file = path.join(await temporaryFolder(), 'audit.jsonl');
    for (let round = 0; round < 5; round++) {
      await writeFile(`${file}.lock`, JSON.stringify({ pid: await formerPid(), host: hostname() }));
      const kernels = await Promise.all(Array.from({ length: 8 }, () => audited({ path: file })));
      const results = await Promise.allSettled(kernels.map(({ kernel }) => kernel.execute('echo')));
      expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
      await Promise.allSettled(kernels.map(({ kernel }) => kernel.close()));
    }
    expect((await verifyTrail(file)).problems).to.deep.equal([]);
  });
});
