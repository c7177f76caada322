import { excerpt } from '../../../../kernel/index.ts';

/** Returns a hint for an edit whose text was not found; it continues a sentence. */
export function nearMiss(part: string, text: string, original: string): string {
  const line = lineWithOtherSpace(part, text);
  if (line !== undefined) return `: from line ${line} it is there with other white space. Copy it exactly as fs_read_lines shows it`;
  if (text !== original && original.includes(part)) return ': an edit before this one has changed it. Take the text as that edit leaves it';
  const first = part.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  const at = part.includes('\n') && first !== '' ? text.indexOf(first) : -1;
  if (at === -1) return '. Read the place with fs_read_lines, or find it with fs_search';
  return `: its line "${excerpt(first, 100)}" is there at line ${text.slice(0, at).split('\n').length}, and what follows is different. Read the place with fs_read_lines`;
}

/**
 * Returns the number of the line at which the text matches when the amount of white space, and white space at line ends, is
 * ignored.
 */
function lineWithOtherSpace(part: string, text: string): number | undefined {
  const wanted = bare(part).filter((line, index, lines) => line !== '' || (index > 0 && index < lines.length - 1));
  const [first] = wanted;
  if (first === undefined) return undefined;
  const lines = bare(text);
  for (let at = lines.indexOf(first); at !== -1; at = lines.indexOf(first, at + 1)) {
    if (wanted.every((line, index) => line === lines[at + index])) return at + 1;
  }
  return undefined;
}

function bare(text: string): string[] {
  return text.split('\n').map((line) => line.trim().replace(/\s+/g, ' '));
}
