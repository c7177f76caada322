import { readlink, realpath } from 'node:fs/promises';
import path from 'node:path';

/** Limit of links that lead to missing targets. Linux has the same limit for links to existing ones. */
const maxLinks = 40;

/** Errors of `readlink` for a path that is no link, and for a path that does not exist. */
const notLinkCodes = new Set(['EINVAL', 'UNKNOWN']);
const missingCodes = new Set(['ENOENT', 'ENOTDIR']);

export interface RealPath {
  /** The path with the links of its folders resolved, and the last component as it is. */
  readonly path: string;
  /** The path that the last component leads to. */
  readonly target: string;
  /** True when something exists at `target`. */
  readonly exists: boolean;
}

/**
 * Resolves an absolute path to its real path. Parts that do not exist yet stay as they are, also behind a link. Throws the
 * error of the file system (ELOOP, EACCES, ENAMETOOLONG).
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
    if (!missingCodes.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return { target: await followMissing(absolute), exists: false };
  }
}

/**
 * Follows a path that leads to nothing, component by component, as the operating system would if the missing parts existed:
 * `..` in the text of a link means the parent of the folder reached so far (path_resolution(7)), so the text must not be
 * shortened first.
 */
async function followMissing(absolute: string): Promise<string> {
  const { root } = path.parse(absolute);
  const remaining = absolute.slice(root.length).split(path.sep);
  let reached = root;
  let missingParts = 0;
  let links = 0;
  for (let part = remaining.shift(); part !== undefined; part = remaining.shift()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      reached = path.dirname(reached);
      missingParts = Math.max(0, missingParts - 1);
      continue;
    }
    const found = missingParts > 0 ? 'missing' : await readLinkAt(path.join(reached, part));
    if (found === 'missing') {
      // In the spelling of the disk, where the file system accepts other spellings too.
      if (missingParts === 0) reached = await realpath(reached);
      missingParts += 1;
    }
    if (typeof found === 'string') {
      reached = path.join(reached, part);
      continue;
    }
    links += 1;
    if (links > maxLinks) throw Object.assign(new Error('too many links'), { code: 'ELOOP' });
    remaining.unshift(...found.link.split(path.sep));
    if (path.isAbsolute(found.link)) reached = path.parse(found.link).root;
  }
  return reached;
}

async function readLinkAt(file: string): Promise<{ link: string } | 'no link' | 'missing'> {
  try {
    return { link: await readlink(file) };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (notLinkCodes.has(code)) return 'no link';
    if (missingCodes.has(code)) return 'missing';
    throw error;
  }
}
