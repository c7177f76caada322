import type { Finding, FindingState, Terminal } from '../../../../kernel/index.ts';
import { count } from '../../../shared/checks/count.ts';
import { paint, type Style } from '../../../shared/terminal/paint.ts';
import { textTable } from '../../../shared/terminal/table.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import type { Diagnosis } from './examine.ts';
import type { PluginRow } from './plugin-rows.ts';

const styles: Readonly<Record<FindingState, Style>> = { ok: 'good', warning: 'warning', problem: 'bad', 'not checked': 'quiet' };

/** Formats the findings with their hints, then the plugins in order, then the totals. */
export async function report({ findings, plugins }: Diagnosis, terminal: Terminal): Promise<string> {
  const rows = findings.map((finding) => [
    paint(terminal, styles[finding.state], finding.state),
    visibleText(finding.check),
    renderFinding(finding, terminal),
  ]);
  const found = await textTable(terminal, [{}, {}, { narrow: 'wrap' }], rows);
  const listed = plugins.length === 0 ? '' : `\n${await pluginTable(plugins, terminal)}`;
  return `${found}${listed}\n${summaryOf(findings)}\n`;
}

function renderFinding({ message, details = [], hint }: Finding, terminal: Terminal): string {
  const own = [message, ...details].map(visibleText).join('\n');
  return hint === undefined ? own : `${own}\n${paint(terminal, 'quiet', visibleText(hint))}`;
}

async function pluginTable(plugins: readonly PluginRow[], terminal: Terminal): Promise<string> {
  const rows = plugins.map(({ name, hooks, commands }) => [
    paint(terminal, 'name', visibleText(name)),
    visibleText([...hooks, ...(commands.length === 0 ? [] : [`(toolkit ${commands.join(', ')})`])].join(' ')),
  ]);
  return textTable(terminal, [{ heading: 'Plugin, in order' }, { heading: 'Hooks', narrow: 'wrap' }], rows);
}

/** Returns the totals, such as `1 problem, 2 warnings`. */
export function summaryOf(findings: readonly Finding[]): string {
  const number = (state: FindingState): number => findings.filter((finding) => finding.state === state).length;
  const parts = [
    ...(number('problem') > 0 ? [count(number('problem'), 'problem')] : []),
    ...(number('warning') > 0 ? [count(number('warning'), 'warning')] : []),
    ...(number('not checked') > 0 ? [`${number('not checked')} not checked`] : []),
  ];
  return parts.length === 0 ? 'Nothing is wrong.' : `${parts.join(', ')}.`;
}
