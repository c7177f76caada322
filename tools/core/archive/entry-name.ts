import { BadArchive } from './bad-archive.ts';

/** Folders around an entry, at most. */
const maxDepth = 200;

/**
 * The names in the path of an entry, none for the top folder itself. Throws BadArchive for a path that could lead out of the folder that it is
 * for, on this or on another system: absolute, with a drive letter, or with `..` between slashes or backslashes; and for a name that is not UTF-8,
 * of which several would become one.
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
  // Only where `\` is a separator for the file system too; elsewhere it is a character of a name.
  const names = path.split(process.platform === 'win32' ? /[/\\]/ : '/').filter((name) => name !== '' && name !== '.');
  if (names.length > maxDepth) refuse(`lies deeper than ${maxDepth} folders`);
  return names;
}
