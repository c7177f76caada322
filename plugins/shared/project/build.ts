import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeRoot, runsFromSource } from './layout.ts';

/** Names the code of this program: another text for every other build. Undefined where sources run, and while the build is not done. */
export const build: string | undefined = runsFromSource ? undefined : nameOfBuild();

/** Part of the build: names the code that it wrote. */
export function writeBuildName(): void {
  const root = codeRoot();
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.([cm]?js|py)$/.test(file));
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(`${file}\n`).update(readFileSync(path.join(root, file)));
  writeFileSync(fileOf(root), hash.digest('base64url'));
}

function nameOfBuild(): string | undefined {
  try {
    return readFileSync(fileOf(codeRoot()), 'latin1');
  } catch {
    return undefined;
  }
}

function fileOf(root: string): string {
  return path.join(root, 'build-name');
}
