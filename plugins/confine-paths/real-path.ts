import { readlink, realpath } from 'node:fs/promises';
import path from 'node:path';

/** Links followed to things that do not exist, at most; Linux has the same limit for those that do. */
const maxLinks = 40;

/** What `readlink` says of something that is no link, and of something that is not there. */
const noLink = new Set(['EINVAL', 'UNKNOWN']);
const missing = new Set(['ENOENT', 'ENOTDIR']);

export interface RealPath {
  /** The links of its folders resolved, the last component as it is. */
  readonly path: string;
  /** Where the last component leads. */
  readonly target: string;
  /** Something is at `target`. */
  readonly exists: boolean;
}

/**
 * Where an absolute path really is. Parts that do not exist yet are kept as they are, behind a link too. Throws the error of the file
 * system (ELOOP, EACCES, ENAMETOOLONG).
 */
export async function resolveRealPath(absolute: string): Promise<RealPath> {
  const { target, exists } = await resolve(absolute);
  const parent = path.dirname(absolute);
  if (parent === absolute) return { path: target, target, exists };
  return { path: path.join((await resolve(parent)).target, path.basename(absolute)), target, exists };
}

async function resolve(absolute: string): Promise<{ target: string; exists: boolean }> {
  try {
    return { target: await realpath(absolute), exists: true };
  } catch (error) {
    if (!missing.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return { target: await follow(absolute), exists: false };
  }
}

/**
 * Follows a path that leads to nothing, component by component, as the operating system would once the missing parts are there:
 * `..` in the text of a link means the parent of where one has come to (path_resolution(7)), so the text must not be shortened first.
 */
async function follow(absolute: string): Promise<string> {
  const { root } = path.parse(absolute);
  const left = absolute.slice(root.length).split(path.sep);
  let place = root;
  let missingParts = 0;
  let links = 0;
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      place = path.dirname(place);
      missingParts = Math.max(0, missingParts - 1);
      continue;
    }
    const found = missingParts > 0 ? 'missing' : await linkAt(path.join(place, part));
    if (found === 'missing') {
      // In the spelling of the disk, where that takes other ones too.
      if (missingParts === 0) place = await realpath(place);
      missingParts += 1;
    }
    if (typeof found === 'string') {
      place = path.join(place, part);
      continue;
    }
    links += 1;
    if (links > maxLinks) throw Object.assign(new Error('too many links'), { code: 'ELOOP' });
    left.unshift(...found.link.split(path.sep));
    if (path.isAbsolute(found.link)) place = path.parse(found.link).root;
  }
  return place;
}

async function linkAt(place: string): Promise<{ link: string } | 'no link' | 'missing'> {
  try {
    return { link: await readlink(place) };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (noLink.has(code)) return 'no link';
    if (missing.has(code)) return 'missing';
    throw error;
  }
}
