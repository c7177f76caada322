import { BadArchive } from './bad-archive.ts';

/** Maximum depth of folders above an entry. */
const maxDepth = 200;

/**
 * Splits the path of an entry into names; empty for the top folder itself. Throws BadArchive for a path that could leave the
 * target folder, on this or on another system: absolute, with a drive letter, or with `..` between slashes or backslashes.
 * Throws it also for a name that is not UTF-8, because several such names could become the same.
 */
export function namesOf(path: string): string[] {
  const refuse = (problem: string): never => {
    throw new BadArchive(`${problem}. Do not trust this archive`, { entry: path });
  };
  if (path.includes('\uFFFD')) throw new BadArchive('has a name that is not UTF-8. Extract it with another program', { entry: path });
  if (path.includes('\0')) refuse('has a null byte in its name');
  if (/^[/\\]/.test(path)) refuse('has an absolute path, which leads out of the destination');
  if (/^[A-Za-z]:/.test(path)) refuse('has a path with a drive letter, which leads out of the destination');
  if (path.split(/[/\\]/).includes('..')) refuse('has a path with "..", which leads out of the destination');
  // `\` is a separator only where the file system uses it; elsewhere it is part of a name.
  const names = path.split(process.platform === 'win32' ? /[/\\]/ : '/').filter((name) => name !== '' && name !== '.');
  if (names.length > maxDepth) refuse(`lies deeper than ${maxDepth} folders`);
  return names;
}
