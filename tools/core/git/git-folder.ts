import type { Dirent } from 'node:fs';
import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../../plugins/shared/project/is-inside.ts';
import { readTextIfReadable } from '../../../plugins/shared/text/read-text.ts';

/** Links followed to something that is not there, at most. */
const maxLinks = 40;

/** Alternates of alternates, at most; git itself stops there. */
const maxAlternates = 5;

/** Parts of a Git folder that no tool has read or written: those of other programs and of submodules, and hooks, which never run. */
const unused = new Set(['hooks', 'modules', 'lfs', 'annex']);

/** Something is there, whatever it is. */
export async function isThere(place: string): Promise<boolean> {
  return (await lstat(place).catch(() => undefined)) !== undefined;
}

/** Something that belongs to a Git folder and leads out of where it has to be. */
export interface WayOut {
  /** In words, such as `the symbolic link objects`. */
  readonly what: string;
  readonly to: string;
}

/**
 * How git would come out of `folder` from a Git folder that lies in it: by a symbolic link, through which it would read or write, by the
 * common folder of a linked working tree, or by the objects of another repository (gitrepository-layout). Undefined when there is no way.
 */
export async function wayOut(gitFolder: string, folder: string): Promise<WayOut | undefined> {
  const link = await linkOut(gitFolder, folder);
  if (link !== undefined) return link;
  const common = await readTextIfReadable(path.join(gitFolder, 'commondir'));
  if (common === undefined) return alternateOut(path.join(gitFolder, 'objects'), folder, maxAlternates);
  const to = await realPlace(path.resolve(gitFolder, common.trim()));
  if (!isInside(to, folder)) return { what: 'its common Git folder', to };
  return (await linkOut(to, folder)) ?? alternateOut(path.join(to, 'objects'), folder, maxAlternates);
}

async function linkOut(gitFolder: string, folder: string): Promise<WayOut | undefined> {
  for (const name of await entriesOf(gitFolder)) {
    if (unused.has(name.name)) continue;
    for await (const place of linksBelow(path.join(gitFolder, name.name), name)) {
      const to = await realPlace(place);
      if (!isInside(to, folder)) return { what: `the symbolic link ${path.relative(folder, place)}`, to };
    }
  }
  return undefined;
}

async function* linksBelow(place: string, entry: Dirent): AsyncGenerator<string> {
  if (entry.isSymbolicLink()) yield place;
  if (!entry.isDirectory()) return;
  for (const inner of await entriesOf(place)) {
    // The folders of single objects hold nothing but files that are named by their content.
    if (entry.name === 'objects' && inner.isDirectory() && /^[0-9a-f]{2}$/.test(inner.name)) continue;
    yield* linksBelow(path.join(place, inner.name), inner);
  }
}

async function alternateOut(objects: string, folder: string, depth: number): Promise<WayOut | undefined> {
  const lines = ((await readTextIfReadable(path.join(objects, 'info/alternates'))) ?? '').split('\n');
  for (const line of lines.filter((text) => text !== '' && !text.startsWith('#'))) {
    const to = await realPlace(path.resolve(objects, line));
    // git writes no quoted paths.
    if (line.startsWith('"') || depth === 0 || !isInside(to, folder)) return { what: 'objects/info/alternates', to };
    const further = await alternateOut(to, folder, depth - 1);
    if (further !== undefined) return further;
  }
  return undefined;
}

/** Where a path leads, also when nothing is there: git would create it. */
export async function realPlace(place: string, links = maxLinks): Promise<string> {
  try {
    return await realpath(place);
  } catch {
    const parent = path.dirname(place);
    if (parent === place || links === 0) return place;
    const real = path.join(await realPlace(parent, links), path.basename(place));
    const target = await readlink(real).catch(() => undefined);
    return target === undefined ? real : realPlace(path.resolve(path.dirname(real), target), links - 1);
  }
}

// What cannot be read here git cannot read either.
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
