import { parseSource } from '../../plugins/toolkit/docs/parse-source.ts';

/** Returns the number of lines that hold code: neither blank nor a comment alone. Throws where the text cannot be parsed. */
export function countCodeLines(text: string, file: string): number {
  let code = '';
  let end = 0;
  for (const comment of parseSource(text, file).comments) {
    code += `${text.slice(end, comment.start)}${'\n'.repeat(text.slice(comment.start, comment.end).split('\n').length - 1)}`;
    end = comment.end;
  }
  return `${code}${text.slice(end)}`.split('\n').filter((line) => line.trim() !== '').length;
}
