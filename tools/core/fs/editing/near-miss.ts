import { excerpt } from '../../../../kernel/index.ts';
import type { TextFile } from '../files/text-file.ts';

/** What may help the one who looked for a text that is not there; goes on in the middle of a sentence. */
export function nearMiss(part: string, text: string, file: TextFile): string {
  if (file.lineEnds === 'mixed' && file.text.replaceAll('\r\n', '\n').includes(part.replaceAll('\r\n', '\n'))) {
    return ': the file has LF and CR LF line ends, and this place has others. Give its parts in edits of one line each';
  }
  const line = lineWithOtherSpace(part, text);
  if (line !== undefined) return `: from line ${line} it is there with other white space. Copy it exactly as fs_read_lines shows it`;
  if (text !== file.text && file.text.includes(part))
    return ': an edit before this one has changed it. Take the text as that edit leaves it';
  const first = part.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  const at = part.includes('\n') && first !== '' ? text.indexOf(first) : -1;
  if (at === -1) return '. Read the place with fs_read_lines, or find it with fs_search';
  return `: its line "${excerpt(first, 100)}" is there at line ${text.slice(0, at).split('\n').length}, and what follows is different. Read the place with fs_read_lines`;
}

/** The number of the line from which the text is there when white space at the ends of lines, and how much of it, does not count. */
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
