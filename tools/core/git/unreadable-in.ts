import { Unreadable, type UnreadableResult } from '../../../plugins/shared/walks/unreadable.ts';

/** Messages of git, which goes on after them, about something in the working tree. It speaks English: `LC_ALL` is set for it. */
const messages = [
  /^error: failed to (?:stat|open) '(.+)': ./,
  /^error: '(.+)': ./,
  /^warning: could not open directory '(.+?)\/?': ./,
  // Of a file that it compares with the index.
  /^(?!error|warning|fatal|hint)(.+): (?:Permission denied|Operation not permitted|Input\/output error|Stale file handle)$/,
];

/** The part of a result that names what git says that it could not read, relative to the top folder. */
export function unreadableIn(stderr: string, repository: string): UnreadableResult {
  const unreadable = new Unreadable(repository);
  for (const line of stderr.split('\n')) {
    const path = messages.map((message) => message.exec(line)?.[1]).find((found) => found !== undefined);
    if (path !== undefined) unreadable.add(path, undefined);
  }
  return unreadable.result;
}
