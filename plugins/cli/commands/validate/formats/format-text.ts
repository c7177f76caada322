import type { Terminal } from '../../../../../kernel/index.ts';
import { paint } from '../../../../shared/terminal/paint.ts';
import { visibleText } from '../../../../shared/text/visible-text.ts';
import { type Finding, ownerOf, type Report, sentenceOf, summaryOf, totalsOf } from '../report.ts';

type Colored = Pick<Terminal, 'hasColors'>;

/** Formats a line for each finding, as compilers do, and a summary. A text from a definition can neither begin a line nor move the cursor. */
export function formatText(report: Report, terminal: Colored): string {
  const { errors, warnings } = totalsOf(report);
  const summary = paint(terminal, errors > 0 ? 'bad' : warnings > 0 ? 'warning' : 'good', summaryOf(report));
  return `${[...report.findings.map((finding) => lineOf(finding, terminal)), summary].join('\n')}\n`;
}

function lineOf(finding: Finding, terminal: Colored): string {
  const { file = ownerOf(finding), line, column, severity } = finding;
  const place = visibleText(line === undefined ? file : `${file}:${line}:${column}`);
  const marked = paint(terminal, severity === 'error' ? 'bad' : 'warning', `${severity}:`);
  return `${paint(terminal, 'name', place)}: ${marked} ${visibleText(sentenceOf(finding))}`;
}
