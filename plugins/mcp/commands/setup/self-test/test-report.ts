import type { Terminal } from '../../../../../kernel/index.ts';
import { formatNumber, toolCount } from '../../../../shared/terminal/format-number.ts';
import { paint } from '../../../../shared/terminal/paint.ts';
import { visibleText } from '../../../../shared/text/visible-text.ts';
import type { TestResult } from './self-test.ts';

/** Number of lines of the server's output that are shown. */
const maxLines = 12;

/** Reports the result of the test. `offered`: number of tools that the server lists or finds. */
export function testReport(terminal: Terminal, result: TestResult, offered: number): string {
  if (result.ok) {
    const seconds = (result.ms / 1000).toFixed(1);
    return `${paint(terminal, 'good', 'Tested:')} over ${result.transport} as a client does it, the server lists ${toolCount(result.tools)}${result.tools < offered ? `, which find and call ${formatNumber(offered)}` : ''} (${seconds} s).\n`;
  }
  const stderrLines = result.stderr === '' ? [] : result.stderr.split('\n').slice(-maxLines);
  return [
    `${paint(terminal, 'bad', 'The test failed:')} over ${result.transport} as a client does it, the server lists no tools: ${visibleText(result.message)}`,
    ...(stderrLines.length === 0 ? ['It printed nothing.'] : ['It printed:', ...stderrLines.map((line) => `  ${visibleText(line)}`)]),
    '',
  ].join('\n');
}
