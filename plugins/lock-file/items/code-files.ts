import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { CodeFile } from '../../../kernel/index.ts';
import { changeTimes, importableNames, realPathPart } from '../../shared/pinned-code/code-file.ts';
import { CodeReader } from '../../shared/pinned-code/code-reader.ts';
import { isInstalled } from '../../shared/pinned-code/installed.ts';
import { followEntry } from '../../shared/pinned-code/pinned-code.ts';

/** The folder whose files count as the code of something, and to which their paths are relative. */
export interface CodeBase {
  readonly folder: string;
  /** True for an installed package: its own files count, not those of the packages in it. */
  readonly isPackage: boolean;
}

/** Parts that depend on the machine: left out, because a lock is equal in every checkout. */
const machineParts: ReadonlySet<string> = new Set([realPathPart, importableNames]);

/** Returns the base of a file: its package when it is an installed one, else the folder of the configuration. */
export function baseOf(file: string, folder: string): CodeBase {
  if (!isInstalled(file)) return { folder: real(folder), isPackage: false };
  let at = path.dirname(real(file));
  while (!existsSync(path.join(at, 'package.json')) && path.dirname(at) !== at) at = path.dirname(at);
  return { folder: at, isPackage: true };
}

/**
 * Returns the SHA-256 of these files and of all that they import within the base, by path with `/`, and of further files. Files that are
 * missing or elsewhere are left out. `reads`: shared by all items of one round.
 */
export function codeFilesOf(
  entries: readonly string[],
  further: readonly CodeFile[],
  base: CodeBase,
  reads: Map<string, unknown>,
): ReadonlyMap<string, string> {
  const reader = new CodeReader(reads, (file) => isOutside(file, base));
  for (const entry of entries) followEntry(entry, reader);
  const relativeOf = (file: string): string | undefined => within(base, file, reads);
  const files = new Map<string, string>();
  for (const { file, part, sha256 } of [...reader.code.files, ...further]) {
    if (sha256 === '' || machineParts.has(part ?? '')) continue;
    add(files, file, part === changeTimes ? undefined : part, part === changeTimes ? reader.hashOf(file) : sha256, relativeOf);
  }
  for (const entry of entries) add(files, entry, undefined, reader.hashOf(entry), relativeOf);
  return files;
}

function add(
  files: Map<string, string>,
  file: string,
  part: string | undefined,
  sha256: string,
  relativeOf: (file: string) => string | undefined,
): void {
  const shown = sha256 === '' ? undefined : relativeOf(file);
  if (shown !== undefined) files.set(part === undefined ? shown : `${shown}#${part}`, sha256);
}

/** Returns the path of a file within the base, with `/`. Undefined for one elsewhere: a link inside leads outside, and the machine decides what is there. */
function within({ folder }: CodeBase, file: string, reads: Map<string, unknown>): string | undefined {
  const key = `within ${folder} ${file}`;
  if (!reads.has(key)) {
    const relative = path.relative(folder, real(file));
    const isElsewhere = relative === '' || relative.split(path.sep)[0] === '..' || path.isAbsolute(relative);
    reads.set(key, isElsewhere ? undefined : relative.split(path.sep).join('/'));
  }
  return reads.get(key) as string | undefined;
}

function isOutside(file: string, { folder, isPackage }: CodeBase): boolean {
  if (!isPackage) return isInstalled(file);
  const relative = path.relative(folder, file);
  return relative.split(path.sep).some((part) => part === '..' || part === 'node_modules') || path.isAbsolute(relative);
}

function real(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}
