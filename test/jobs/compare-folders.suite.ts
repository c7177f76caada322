import { spawnSync } from 'node:child_process';
import { writeFiles } from '../support/temporary.ts';
import { runJob } from './run-job.ts';

const files = 400;

/** Paths relative to both folders, each with which of them has it, or that it differs. */
type Differences = readonly (readonly [string, 'differs' | 'only_left' | 'only_right'])[];

runJob<Differences>({
  number: 8,
  title: 'compare two folders',
  async prepare(folder, random) {
    const written = Array.from({ length: files }, (_, index) => {
      const name = `${random.oneOf(['src', 'src/parts', 'docs', 'docs/api/v1', 'data'])}/${random.oneOf(['part', 'Ärger', 'two words'])}-${index}.txt`;
      const text = Array.from({ length: random.between(1, 40) }, () => `${random.below(1e9)}\n`).join('');
      const fate = random.below(20);
      // Of one that differs every second one has the same length.
      const changed = random.chance(0.5) ? `${text}more\n` : text.replace(/\d/g, (digit) => String(9 - Number(digit)));
      return [...(fate === 0 ? [] : [[`old/${name}`, text]]), ...(fate === 1 ? [] : [[`new/${name}`, fate === 2 ? changed : text]])];
    });
    await writeFiles(folder, Object.fromEntries(written.flat()));
    await writeFiles(folder, { 'new/added/one.txt': '1\n', 'new/added/deep/two.txt': '2\n', 'old/removed/three.txt': '3\n' });
  },
  async steps(client) {
    const compare = await client.tool('fs_compare_files', 'compare two folders');
    const found: (readonly [string, Differences[number][1]])[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { differences, next_offset }: { differences: { path: string; status: Differences[number][1] }[]; next_offset?: number } =
        await compare.call({ left: 'old', right: 'new', ...(offset === 0 ? {} : { offset }) });
      for (const { path, status } of differences) found.push([path.replace(/\/$/, ''), status]);
      offset = next_offset;
    }
    return sorted(found);
  },
  expected(folder) {
    const { stdout } = spawnSync('diff', ['-rq', 'old', 'new'], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    });
    return sorted(stdout.trimEnd().split('\n').map(difference));
  },
});

/** One line of `diff -rq`: "Only in old/src: a b.txt", or "Files old/src/a b.txt and new/src/a b.txt differ". */
function difference(line: string): Differences[number] {
  const [, side = '', below = '', name = ''] = /^Only in (old|new)\/?(.*?): (.*)$/.exec(line) ?? [];
  if (side !== '') return [[...(below === '' ? [] : [below]), name].join('/'), side === 'old' ? 'only_left' : 'only_right'];
  const [, path = ''] = /^Files old\/(.*) and new\/\1 differ$/.exec(line) ?? [];
  return [path, 'differs'];
}

const sorted = (differences: Differences): Differences => [...differences].sort(([one], [other]) => (one < other ? -1 : 1));
