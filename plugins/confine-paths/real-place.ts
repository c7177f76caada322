import { readlink, realpath } from 'node:fs/promises';
import path from 'node:path';

/** Links followed to things that do not exist, at most; Linux has the same limit for those that do. */
const maxLinks = 40;

/**
 * Where an absolute path really is. `path`: the links of its folders resolved, the last component as it is (so that a link itself can
 * be looked at or removed). `target`: where the last component leads. Parts that do not exist yet are kept as they are, behind a link
 * too. Throws the error of the file system (ELOOP, EACCES, ENAMETOOLONG).
 */
export async function realPlace(absolute: string): Promise<{ path: string; target: string }> {
  const target = await realpathOrMissing(absolute, maxLinks);
  const parent = path.dirname(absolute);
  if (parent === absolute) return { path: target, target };
  return { path: path.join(await realpathOrMissing(parent, maxLinks), path.basename(absolute)), target };
}

async function realpathOrMissing(absolute: string, linksLeft: number): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = path.dirname(absolute);
    if ((code !== 'ENOENT' && code !== 'ENOTDIR') || parent === absolute || linksLeft === 0) throw error;
    const place = path.join(await realpathOrMissing(parent, linksLeft), path.basename(absolute));
    // A link to something that does not exist: writing to it would create the file where the link points.
    const link = await linkAt(place);
    return link === undefined ? place : realpathOrMissing(path.resolve(path.dirname(place), link), linksLeft - 1);
  }
}

async function linkAt(place: string): Promise<string | undefined> {
  try {
    return await readlink(place);
  } catch {
    return undefined;
  }
}

export function isInside(child: string, root: string): boolean {
  const relative = path.relative(root, child);
  return relative === '' || (!relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative));
}
