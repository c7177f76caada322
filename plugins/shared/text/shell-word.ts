/** One word for a POSIX shell (IEEE 1003.1, Shell Command Language, 2.2). zsh looks up what stands behind a leading `=`. */
export function posixWord(text: string): string {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A text as one word of a command line that is pasted into a shell; on Windows as the C runtime reads it. */
export function shellWord(text: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32') return posixWord(text);
  return /^[\w@%+=:,./\\-]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`;
}
