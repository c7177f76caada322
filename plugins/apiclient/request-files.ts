import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Unreadable } from '../shared/walks/unreadable.ts';
import type { Root } from './descriptor.ts';
import { codeOf } from './operation-error.ts';

/** A folder of a collection with the names of its files and folders. Links are not followed. */
export interface Folder {
  /** Path relative to the collection, with `/`; empty for the collection itself. */
  readonly path: string;
  readonly files: readonly string[];
  readonly folders: readonly Folder[];
}

/** Maximum depth of nested folders. */
const maxDepth = 50;

/** Collects the errors of a walk and counts its files. The count becomes infinite when the walk has stopped. */
export interface WalkTally {
  readonly errors: string[];
  readonly unreadable: Unreadable;
  files: number;
  readonly maxFiles: number;
}

/**
 * Returns the tree of request files of a collection, as the runner sees it: without environments, node_modules and .git. Entries that a
 * descriptor ignores are included, because the runner runs them.
 */
export async function requestTree(root: Root, tally: WalkTally): Promise<Folder> {
  return readFolder(root, '', 0, tally);
}

async function readFolder(root: Root, relative: string, depth: number, tally: WalkTally): Promise<Folder> {
  const entries = await entriesOf(path.join(root.directory, relative), tally);
  const files: string[] = [];
  const folders: Folder[] = [];
  for (const entry of entries) {
    const entryPath = relative === '' ? entry.name : `${relative}/${entry.name}`;
    if (entry.isDirectory()) {
      if (isSkipped(entryPath) || isFull(tally, entryPath)) continue;
      if (depth < maxDepth) folders.push(await readFolder(root, entryPath, depth + 1, tally));
      else tally.errors.push(`${entryPath}: lies more than ${maxDepth} folders deep and was not read.`);
    } else if (entry.isFile() && isRequestFile(root, entryPath) && !isFull(tally, entryPath)) {
      tally.files++;
      files.push(entry.name);
    }
  }
  return { path: relative, files, folders };
}

/** True when the limit is reached. Adds the error once. */
function isFull(tally: WalkTally, entryPath: string): boolean {
  if (tally.files < tally.maxFiles) return false;
  if (tally.files === tally.maxFiles) tally.errors.push(`${entryPath}: the first ${tally.maxFiles} requests were read, and no more.`);
  tally.files = Number.POSITIVE_INFINITY;
  return true;
}

function isSkipped(entryPath: string): boolean {
  const name = path.posix.basename(entryPath);
  return entryPath === 'environments' || name === 'node_modules' || name === '.git';
}

function isRequestFile({ format, descriptors }: Root, entryPath: string): boolean {
  const name = path.posix.basename(entryPath);
  if (format === 'opencollection') return name.endsWith('.yml') && name !== 'folder.yml' && !descriptors.includes(name);
  return name.endsWith('.bru') && name !== 'folder.bru' && name !== 'collection.bru';
}

/** Lists a folder, sorted by name, so that the result is always the same. */
export async function entriesOf(
  directory: string,
  { errors, unreadable }: Pick<WalkTally, 'errors'> & Partial<WalkTally>,
): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch (error) {
    errors.push(`${directory}: cannot be listed (${codeOf(error)}).`);
    unreadable?.add(directory, error);
    return [];
  }
}
