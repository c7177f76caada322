import { expect } from 'chai';
import { ControlFiles } from '../../../../kernel/index.ts';
import { namedFiles } from '../../../../plugins/shared/bound-files/named-files.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const { signal } = new AbortController();

/** The names of files that a program with these arguments is bound to. */
async function named(cwd: string, args: readonly string[], texts: readonly string[] = []): Promise<readonly string[]> {
  return Object.keys(await namedFiles({ args, texts, cwd, controlFiles: new ControlFiles([]), signal })).sort();
}

const cases: readonly { readonly args: readonly string[]; readonly texts?: readonly string[]; readonly names: readonly string[] }[] = [
  { args: ['run.py'], names: ['run.py'] },
  { args: ['--file=run.py'], names: ['run.py'] },
  { args: ['--file', 'lib/work.py'], names: ['lib/work.py'] },
  { args: ['-frun.py'], names: ['run.py'] },
  { args: ['-d', '@data.json'], names: ['data.json'] },
  { args: ['-c', 'cd lib; exec "python3" ./work.py > out'], names: ['lib'] },
  { args: ['-c', 'python3 run.py|sort'], names: ['run.py'] },
  { args: ['-c', "exec(open('run.py').read())"], names: ['run.py'] },
  { args: ['-m', 'run'], names: ['run.py'] },
  { args: ['-m', 'lib.work'], names: ['lib/work.py'] },
  { args: ['with blank.txt'], names: ['with blank.txt'] },
  { args: ['.'], names: ['.'] },
  { args: ['hello', '1.5', '-la', '', '--version', 'http://example.org/run'], names: [] },
  { args: [], texts: ['--require=./run.py:lib'], names: ['lib', 'run.py'] },
];

describe('files that the arguments of a program name', () => {
  const files = { 'run.py': '', 'lib/work.py': '', 'data.json': '', 'with blank.txt': '' };

  for (const { args, texts, names } of cases)
    it(`are ${names.join(', ') || 'none'} for ${JSON.stringify([...args, ...(texts ?? [])])}`, async () => {
      expect(await named(await temporaryFolder(files), args, texts)).to.deep.equal(names);
    });

  it('are bound with everything in them where they are folders below the working directory, and as places elsewhere', async () => {
    const cwd = await temporaryFolder(files);
    const bound = await namedFiles({ args: ['lib', '.', '/'], cwd, controlFiles: new ControlFiles([]), signal });
    expect(Object.values(bound).map(({ shown }) => shown.replace(/\d+ of/, 'of'))).to.deep.equal([
      'folder of 1 entry, 0 bytes',
      'folder',
      'folder',
    ]);
  });

  it('say that there are more words than are looked for', async () => {
    const words = Array.from({ length: 20_001 }, (_, index) => `w${index}`).join(' ');
    expect(
      Object.values(await namedFiles({ args: [words], cwd: await temporaryFolder(), controlFiles: new ControlFiles([]), signal })),
    ).to.deep.equal([{ shown: 'names after the first 20000 words: not looked for' }]);
  });
});
