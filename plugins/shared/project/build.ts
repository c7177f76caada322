import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeRoot, runsFromSource } from './layout.ts';

/** Hash of this program's code: of the build, or of the sources when they run. Undefined while the build is not complete. */
export const build: string | undefined = runsFromSource ? nameOfSources() : nameOfBuild();

/** Writes the hash of the built code. Part of the build. */
export function writeBuildName(): void {
  const root = codeRoot();
  writeFileSync(fileOf(root), nameOf(root, codeIn(root)));
}

function nameOfBuild(): string | undefined {
  try {
    return readFileSync(fileOf(codeRoot()), 'latin1');
  } catch {
    return undefined;
  }
}

/** Hashes the sources with the versions of their packages. */
function nameOfSources(): string {
  const root = codeRoot();
  const files = ['kernel', 'plugins', 'tools'].flatMap((folder) => codeIn(root, folder));
  return nameOf(root, [...files.filter((file) => !file.includes('node_modules')), 'package-lock.json']);
}

function codeIn(root: string, folder = ''): string[] {
  // Own text: names of files of this program
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => /\.([cm]?[jt]s|py)$/.test(file)).map((file) => path.join(folder, file));
}

function nameOf(root: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(`${file}\n`).update(readFileSync(path.join(root, file)));
  return hash.digest('base64url');
}

function fileOf(root: string): string {
  return path.join(root, 'build-name');
}
