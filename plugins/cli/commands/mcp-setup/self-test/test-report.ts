import type { Terminal } from '../../../../../kernel/index.ts';
import { visibleText } from '../../../../shared/text/visible-text.ts';
import { figure, toolCount } from '../../../terminal/figures.ts';
import { paint } from '../../../terminal/paint.ts';
import type { TestResult } from './self-test.ts';

/** Number of lines of the server's output that are shown. */
const maxLines = 12;

/** Reports the result of the test. `offered`: number of tools that the server lists or finds. */
export function testReport(terminal: Terminal, result: TestResult, offered: number): string {
  if (result.ok) {
    const seconds = (result.ms / 1000).toFixed(1);
    return `${paint(terminal, 'good', 'Tested:')} over ${result.transport} as a client does it, the server lists ${toolCount(result.tools)}${result.tools < offered ? `, which find and call ${figure(offered)}` : ''} (${seconds} s).\n`;
  }
  const said = result.stderr === '' ? [] : result.stderr.split('\n').slice(-maxLines);
  return [
    `${paint(terminal, 'bad', 'The test failed:')} over ${result.transport} as a client does it, the server lists no tools: ${visibleText(result.message)}`,
    ...(said.length === 0 ? ['It printed nothing.'] : ['It printed:', ...said.map((line) => `  ${visibleText(line)}`)]),
    '',
  ].join('\n');
}
