import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Random } from '../../support/random.ts';

const commits = 400;

/** A text that some files hold. */
export const needle = 'needle-[0-9]+';

/** A folder with a hundredth of the files. */
export const partOfTree = 'part-7';

/** Writes a repository of so many files and 400 commits, of which some files are changed, some new and some ignored. */
export async function writeRepository(place: string, files: number): Promise<void> {
  const random = new Random(44);
  await mkdir(place);
  await git(place, ['init', '--quiet', '--initial-branch=main']);
  await git(place, ['fast-import', '--quiet'], history(random, files));
  await git(place, ['reset', '--quiet', '--hard']);
  // The index must be older than what changes, and newer than what it knows: else git reads each file again.
  await wait(1100);
  await git(place, ['update-index', '-q', '--refresh']);
  const write = (name: string): Promise<void> => writeFile(path.join(place, name), textOf(random));
  for (let file = 0; file < 20; file++) await write(nameOf((file * 97) % files));
  for (let file = 0; file < 5; file++) await write(`new-${file}.txt`);
  await writeFile(path.join(place, '.git/info/exclude'), 'ignored\n');
  await mkdir(path.join(place, 'ignored'));
  for (let file = 0; file < 50; file++) await write(`ignored/${file}.txt`);
}

function nameOf(file: number): string {
  return `part-${file % 100}/folder-${file % 7}/file-${file}.txt`;
}

function textOf(random: Random): string {
  const lines = Array.from({ length: random.between(5, 44) }, () =>
    Array.from({ length: 8 }, () => random.below(1e6).toString(36)).join(' '),
  );
  return `${lines.join('\n')}\n${random.below(50) === 0 ? `needle-${random.below(1000)}\n` : ''}`;
}

/** All files in the first commit, some of them changed in each further one, in the language of git fast-import. */
function* history(random: Random, files: number): Generator<string> {
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  for (let commit = 0; commit < commits; commit++) {
    const at = `${1_700_000_000 + commit * 3600} +0000`;
    yield `commit refs/heads/main\nauthor Ada Lovelace <ada@example.com> ${at}\ncommitter Ada Lovelace <ada@example.com> ${at}\n`;
    yield data(`Commit ${commit}\n\n${textOf(random)}`);
    const changed = commit === 0 ? Array.from({ length: files }, (_, file) => file) : Array.from({ length: 5 }, () => random.below(files));
    for (const file of new Set(changed)) yield `M 100644 inline ${nameOf(file)}\n${data(textOf(random))}`;
  }
}

async function git(folder: string, args: readonly string[], stdin: Iterable<string> = []): Promise<void> {
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', LC_ALL: 'C.UTF-8' };
  const child = spawn('git', args, { cwd: folder, env, stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.end([...stdin].join(''));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}.`);
}
