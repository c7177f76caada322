import { patternExcess, ToolkitError } from '../../../kernel/index.ts';
import { OutputRoom } from '../../shared/output-room/output-room.ts';
import { beginning } from '../../shared/output-room/text-within.ts';
import type { Section } from '../pages.ts';
import { linesOf } from './lines.ts';

export interface Search {
  readonly sections: readonly Section[];
  readonly pattern: string;
  readonly from_line: number;
}

interface Match {
  readonly at: string;
  readonly line: number;
  /** The column of the line at which the text begins, from 1. */
  readonly column: number;
  readonly text: string;
}

/** Characters of a line that are shown around a match. */
const maxShownOfLine = 500;

/** Finds matching lines, as many as fit the room. Runs in a child process, because a pattern may take for ever. */
export function searchLines(
  { sections, pattern, from_line: from }: Search,
  { output }: { readonly output: { readonly budget: number | undefined } },
): { readonly matches: readonly Match[]; readonly next_line?: number } {
  const expression = compilePattern(pattern);
  const matches: Match[] = [];
  const room = new OutputRoom(output.budget, 'x'.repeat(200));
  for (const { section, line, start, end } of linesOf(sections)) {
    if (line < from) continue;
    const text = section.text.slice(start, end);
    const index = expression.exec(text)?.index;
    if (index === undefined) continue;
    const column = text.length <= maxShownOfLine ? 0 : Math.max(0, index - 100);
    const match = { at: section.at, line, column: column + 1, text: beginning(text.slice(column), maxShownOfLine) };
    if (!room.take(match)) return { matches, next_line: line };
    matches.push(match);
  }
  return { matches };
}

function compilePattern(pattern: string): RegExp {
  const excess = patternExcess(pattern);
  const issue = (message: string): ToolkitError =>
    new ToolkitError('INVALID_PARAMETERS', `"pattern" ${message}`, { issues: [{ path: 'pattern', message }] });
  if (excess !== undefined) throw issue(`is a regular expression ${excess}.`);
  try {
    return new RegExp(pattern, 'u');
  } catch {
    throw issue('is no regular expression: expected one such as error|warn, with \\ before a character of its own meaning, such as \\(.');
  }
}
