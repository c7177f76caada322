import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';

const folder = path.resolve('node_modules/.cache/toolkit-tests');

let known: Promise<Blob> | undefined;

/** The files of a new database: making them takes longer than most tests. Kept for the other processes of a run, and for the next ones. */
export function freshDataDirectory(): Promise<Blob> {
  known ??= readOrMake();
  return known;
}

async function readOrMake(): Promise<Blob> {
  const { version } = JSON.parse(await readFile('node_modules/@electric-sql/pglite/package.json', 'utf8')) as { version: string };
  const file = path.join(folder, `pglite-${version}.tar`);
  const kept = await readFile(file).catch(() => undefined);
  if (kept !== undefined) return new Blob([kept]);
  const pglite = await PGlite.create();
  const made = await pglite.dumpDataDir('none');
  await pglite.close();
  await mkdir(folder, { recursive: true });
  await writeFile(`${file}.${process.pid}`, Buffer.from(await made.arrayBuffer()));
  await rename(`${file}.${process.pid}`, file);
  return made;
}
