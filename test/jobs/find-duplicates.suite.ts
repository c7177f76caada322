import { execFileSync } from 'node:child_process';
import { writeFiles } from '../support/temporary.ts';
import { runJob } from './run-job.ts';

/** Files with the same content, each group and all groups in the order of names. */
type DuplicateGroups = readonly (readonly string[])[];

const folders = ['', 'photos/', 'photos/2026/', 'papers/', 'papers/old ones/'];

runJob<DuplicateGroups>({
  number: 20,
  title: 'files with the same content among 47',
  async prepare(folder, random) {
    const contents: string[] = [];
    const files = Array.from({ length: 47 }, (_, index) => {
      // The same length as others does not make it the same.
      const fresh = Array.from({ length: random.oneOf([0, 40, 40, 3000]) }, () => random.oneOf('abcdefgh \n'.split(''))).join('');
      const content = contents.length > 0 && random.chance(0.2) ? random.oneOf(contents) : fresh;
      contents.push(content);
      return [`data/${random.oneOf(folders)}file ${index}.${random.oneOf(['txt', 'bin'])}`, content] as const;
    });
    await writeFiles(folder, Object.fromEntries(files));
  },
  async steps(client) {
    const hash = await client.tool('fs_hash_file', 'hash many files');
    return inOrder((await hash.call<{ same: DuplicateGroups }>({ path: 'data', glob: '**/*' })).same);
  },
  expected(folder) {
    const script = 'find . -type f -print0 | xargs -0 sha256sum | sort | uniq -w64 --all-repeated=separate';
    const printed = execFileSync('sh', ['-c', script], { cwd: `${folder}/data`, encoding: 'utf8' });
    return inOrder(
      printed
        .split('\n\n')
        .map((group) => group.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^[0-9a-f]{64} [ *]\.\//, '')]))),
    );
  },
});

function inOrder(groups: readonly (readonly string[])[]): DuplicateGroups {
  return groups
    .filter(({ length }) => length > 1)
    .map((group) => [...group].sort())
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
}
