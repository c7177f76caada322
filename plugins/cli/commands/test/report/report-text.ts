import type { Terminal } from '../../../../../kernel/index.ts';
import { paint, type Style } from '../../../../shared/terminal/paint.ts';
import { terminalText } from '../../../../shared/text/visible-text.ts';
import type { Finding, ToolResult } from './tool-result.ts';

const marks: Readonly<Record<ToolResult['status'], readonly [string, Style]>> = {
  passed: ['✓', 'good'],
  recorded: ['●', 'good'],
  failed: ['✗', 'bad'],
  missing: ['-', 'warning'],
};

/** Maximum number of lines of one difference. */
const maxLines = 60;

/** Formats one line for the tool, with its findings below it. */
export function toolText({ tool, status, examples, findings, recorded }: ToolResult, terminal: Terminal): string {
  const [mark, style] = marks[status];
  const count =
    examples.length === 0 ? '' : paint(terminal, 'quiet', `  ${examples.length} ${examples.length === 1 ? 'example' : 'examples'}`);
  const lines = [`${paint(terminal, style, mark)} ${terminalText(tool)}${count}`];
  for (const { example, findings: found } of examples)
    for (const finding of found) lines.push(...findingLines({ ...finding, message: `"${example}": ${finding.message}` }, terminal));
  for (const finding of findings) lines.push(...findingLines(finding, terminal));
  if (recorded !== undefined) lines.push(`    ${terminalText(recorded)}`);
  return `${lines.join('\n')}\n`;
}

function findingLines({ message, lines = [] }: Finding, terminal: Terminal): readonly string[] {
  const shown = lines.slice(0, maxLines);
  const more = lines.length > maxLines ? [`      … and ${lines.length - maxLines} more lines; --json has them all`] : [];
  return [`    ${terminalText(message)}`, ...shown.map((line) => `      ${paintedLine(line, terminal)}`), ...more];
}

function paintedLine(line: string, terminal: Terminal): string {
  const text = terminalText(line);
  if (line.startsWith('+')) return paint(terminal, 'good', text);
  return line.startsWith('-') ? paint(terminal, 'bad', text) : text;
}

/** Returns the totals: `12 tools: 10 passed, 1 failed, 1 without a cassette`. */
export function totalText(results: readonly ToolResult[]): string {
  const countOf = (status: ToolResult['status']): number => results.filter((result) => result.status === status).length;
  const parts = [
    [countOf('recorded'), 'recorded'],
    [countOf('passed'), 'passed'],
    [countOf('failed'), 'failed'],
    [countOf('missing'), 'without a cassette'],
  ] as const;
  const texts = parts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return `${results.length} ${results.length === 1 ? 'tool' : 'tools'}: ${texts.join(', ')}\n`;
}
