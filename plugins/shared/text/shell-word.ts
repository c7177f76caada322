/**
 * Quotes a text as one word for a POSIX shell (IEEE 1003.1, Shell Command Language, 2.2). A leading `=` is quoted too, because zsh expands
 * it.
 */
export function posixWord(text: string): string {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Quotes a text as one word of a command line for a shell; on Windows by the rules of the C runtime. */
export function shellWord(text: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32') return posixWord(text);
  return /^[\w@%+=:,./\\-]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`;
}
