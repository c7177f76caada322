import { execFileSync } from 'node:child_process';
import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeSeededTree } from './seeded-tree.ts';

const commits = 100;

/** Files that differ from the last commit, all in the top folder. */
const changed = 20;

/** Writes a repository whose first commit holds a seeded tree, with commits that change one file each, and a few changes that are not committed. */
export async function writeRepository(place: string, files: number): Promise<void> {
  await mkdir(place, { recursive: true });
  const git = (...args: string[]): void => {
    const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', '-c', 'gc.auto=0', '-c', 'core.autocrlf=false'];
    execFileSync('git', [...identity, ...args], { cwd: place, stdio: 'ignore', env: { PATH: process.env['PATH'], HOME: place } });
  };
  git('init', '--quiet');
  await writeSeededTree(path.join(place, 'tree'), files, files);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Add the tree');
  for (let number = 0; number < commits; number++) {
    await appendFile(path.join(place, 'log.txt'), `line of commit ${number}\n`);
    git('add', 'log.txt');
    git('commit', '--quiet', '--message', `Write line ${number}`);
  }
  for (let number = 0; number < Math.min(changed, files); number++)
    await appendFile(path.join(place, 'tree', nameOf(number)), 'another line\n');
}

function nameOf(number: number): string {
  return `file-${number}${number % 3 === 0 ? '.ts' : '.md'}`;
}
