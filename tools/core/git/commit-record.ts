export interface Commit {
  readonly hash: string;
  readonly author: string;
  readonly email: string;
  /** Date in ISO 8601; null when the commit has no valid one. */
  readonly date: string | null;
  readonly subject: string;
  readonly body: string;
}

/** Format for `--format`: the fields of a commit, each ended by a null byte. */
export const commitFormat = '%H%x00%aN%x00%aE%x00%aI%x00%s%x00%b';

/** Parses commits that `git log -z` printed in `commitFormat`. */
export function commitsOf(stdout: string): readonly Commit[] {
  const fields = stdout.split('\0').slice(0, -1);
  return Array.from({ length: fields.length / 6 }, (_, index) => commitOf(fields.slice(index * 6, index * 6 + 6)));
}

function commitOf([hash = '', author = '', email = '', date = '', subject = '', body = '']: readonly string[]): Commit {
  return { hash, author, email, date: validDate(date), subject, body: body.replace(/\n+$/, '') };
}

/** Returns the date; null when it is invalid. */
export function validDate(date: string): string | null {
  return Number.isNaN(Date.parse(date)) ? null : date;
}
