import { Unreadable, type UnreadableResult } from '../../../plugins/shared/walks/unreadable.ts';

/** Messages of git about unreadable paths, after which it continues. They are in English: `LC_ALL` is set. */
const messages = [
  /^error: failed to (?:stat|open) '(.+)': ./,
  /^error: '(.+)': ./,
  /^warning: could not open directory '(.+?)\/?': ./,
  // Message about a file that git compares with the index.
  /^(?!error|warning|fatal|hint)(.+): (?:Permission denied|Operation not permitted|Input\/output error|Stale file handle)$/,
];

/** Returns the part of a result that names paths which git could not read, relative to the top folder. */
export function unreadableIn(stderr: string, repository: string): UnreadableResult {
  const unreadable = new Unreadable(repository);
  for (const line of stderr.split('\n')) {
    const path = messages.map((message) => message.exec(line)?.[1]).find((found) => found !== undefined);
    if (path !== undefined) unreadable.add(path, undefined);
  }
  return unreadable.result;
}
