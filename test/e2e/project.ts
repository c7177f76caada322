import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { installIn } from '../support/installed.ts';
import { onceForFile, temporaryFolder, writeFiles } from '../support/temporary.ts';

const run = promisify(execFile);

/** The initial project of all tests of a file. Copying it is ten times as fast as making it with git. */
const original = onceForFile(makeOriginal);

/** A project folder of a user: a file, a git repository with two commits, tools of its own, and toolkit installed. */
export async function project(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await temporaryFolder();
  await cp(await original(), folder, { recursive: true });
  await writeFiles(folder, files);
  await installIn(folder);
  return folder;
}

async function makeOriginal(): Promise<string> {
  const folder = await temporaryFolder({
    'package.json': '{ "name": "a-project", "type": "module" }',
    'notes/héllo wörld.txt': 'Grüße\nzweite Zeile\n',
  });
  await cp(path.resolve('fixtures/plugins/toolkit-plugin-trace'), path.join(folder, 'node_modules/toolkit-plugin-trace'), {
    recursive: true,
  });
  await cp(path.resolve('fixtures/tools'), path.join(folder, 'my-tools'), { recursive: true });
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=Ada Lovelace', '-c', 'user.email=ada@example.org', ...args], { cwd: folder });
  await git('init', '-q', '--template=', '-b', 'main');
  await git('add', 'notes');
  await git('commit', '-q', '-m', 'Add the notes');
  await git('commit', '-q', '--allow-empty', '-m', 'Second: "quotes" & ünïcode');
  return folder;
}
