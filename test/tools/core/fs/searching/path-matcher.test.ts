import { posix } from 'node:path';
import { expect } from 'chai';
import { glob } from 'tinyglobby';
import { filesBelow } from '../../../../../tools/core/fs/searching/files-below.ts';
import { seeded } from '../../../../bench/native/seeded-tree.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';

const rounds = 150;

const names = ['a', 'b.ts', '.c', 'a-b', 'ab.ts', 'B.TS', '[x]', 'ä.md', 'a b'];
const parts = [
  '*',
  '**',
  '?',
  '*.ts',
  'a*',
  '[ab]*',
  '{a,b.ts}',
  '{a,a-b}',
  '!(a)',
  '@(a|ab.ts)',
  'a',
  '.c',
  '\\[x\\]',
  'ä.md',
  '*.{ts,md}',
  '+([ab])',
  'a-b',
];

function randomPattern(random: () => number): string {
  const one = (): string => parts[Math.floor(random() * parts.length)] as string;
  const written = Array.from({ length: 1 + Math.floor(random() * 3) }, one).join('/');
  return `${random() < 0.15 ? '!' : ''}${random() < 0.1 ? './' : ''}${written}`;
}

describe('the files below a folder that a pattern fits', () => {
  it(`are those of tinyglobby, in code unit order: ${rounds} patterns and what they ignore, from a seed`, async () => {
    const random = seeded(7);
    const files = Array.from({ length: 300 }, () =>
      Array.from(
        { length: 1 + Math.floor(random() * 3) },
        (_, level) => `${level === 0 ? '' : 'd'}${names[Math.floor(random() * names.length)]}`,
      )
        .reverse()
        .join('/'),
    );
    const folder = await temporaryFolder(Object.fromEntries(files.map((file) => [file, ''])));
    let found = 0;
    for (let round = 0; round < rounds; round++) {
      const pattern = randomPattern(random);
      const ignore = random() < 0.3 ? [randomPattern(random).replace(/^!/, '')] : [];
      const { paths } = await filesBelow(folder, pattern, { parameter: 'pattern', ignore });
      const positive = pattern.replace(/^!/, '');
      const deep = positive.includes('/') ? positive : `**/${positive}`;
      const expected = await glob(pattern.startsWith('!') ? ['**/*', `!${deep}`] : [deep], {
        cwd: folder,
        dot: true,
        expandDirectories: false,
        followSymbolicLinks: false,
        ignore: ignore.map((left) => (left.includes('/') ? left : `**/${left}`)),
      });
      // What is in a folder is not a file of its name, which the library takes for it.
      const inside = expected.filter((file) => !posix.normalize(positive).replaceAll('\\', '').startsWith(`${file}/**`));
      expect(paths, `${pattern} without ${ignore.join()}`).to.deep.equal(inside.sort());
      found += paths.length;
    }
    expect(found).to.be.above(rounds);
  });
});
