import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterFile, atLast } from './after-each.ts';

const folders: string[] = [];
const foldersOfFile: string[] = [];

/** A folder with the given files (name to text), removed after the test, once everything that may write into it is closed. */
export async function temporaryFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'toolkit-test-')));
  folders.push(folder);
  await writeFiles(folder, files);
  return folder;
}

/** Writes files (name to text) into a folder. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Makes folders that are removed after the last test of the file. */
export async function foldersForFile<T>(begin: () => Promise<T>): Promise<T> {
  const mine = folders.splice(0);
  try {
    return await begin();
  } finally {
    foldersOfFile.push(...folders.splice(0));
    folders.push(...mine);
  }
}

/** Gives what is made in here once for all tests of a file, with its folders. */
export function onceForFile<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  afterFile(() => {
    made = undefined;
  });
  return () => {
    made ??= foldersForFile(make);
    return made;
  };
}

atLast(() => remove(folders));

afterFile(() => remove(foldersOfFile));

async function remove(made: string[]): Promise<void> {
  await Promise.all(made.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
}
