import type { Terminal } from '../../../../kernel/index.ts';
import type { Exposure, ListSize } from '../../../shared/exposure/exposure.ts';
import { formatNumber, toolCount } from '../../../shared/terminal/format-number.ts';
import { paint } from '../../../shared/terminal/paint.ts';
import { type Column, textTable } from '../../../shared/terminal/table.ts';
import { jsonText } from '../../../shared/text/json-text.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import type { TokenCosts } from './token-costs.ts';

/** Returns the JSON of `--json`. */
export function tokenJson({ lists: { all, search }, providers, tools }: TokenCosts): string {
  return jsonText({ estimated: true, all, search: search ?? null, providers, tools });
}

/** Formats a row for each provider or tool with its share of the whole list, then the size of each exposure. */
export async function tokenReport({ tools, providers, lists }: TokenCosts, isByTool: boolean, terminal: Terminal): Promise<string> {
  const row = (name: string, middle: string, tokens: number): string[] => [
    paint(terminal, 'name', visibleText(name)),
    middle,
    formatNumber(tokens),
    `${((100 * tokens) / Math.max(1, lists.all.tokens)).toFixed(1)} %`,
  ];
  const rows = isByTool
    ? tools.map(({ name, provider, tokens }) => row(name, visibleText(provider), tokens))
    : providers.map(({ name, tools: count, tokens }) => row(name, formatNumber(count), tokens));
  const columns: Column[] = [
    ...(isByTool
      ? [{ heading: 'Tool' }, { heading: 'Provider' }]
      : [{ heading: 'Provider' }, { heading: 'Tools', align: 'right' as const }]),
    { heading: 'Tokens', align: 'right' },
    { heading: 'Share', align: 'right' },
  ];
  const table = rows.length === 0 ? '' : `${await textTable(terminal, columns, rows)}\n`;
  return `${table}${await exposures(lists, terminal)}These are estimates, within 10 percent of what o200k counts.\n`;
}

const meanings: Readonly<Record<Exposure, string>> = { all: 'every tool', search: 'those that find and call the others' };

async function exposures(lists: TokenCosts['lists'], terminal: Terminal): Promise<string> {
  const row = (exposure: Exposure, { tools, tokens }: ListSize): string[] => [
    `--expose ${exposure}`,
    `${formatNumber(tokens)} tokens`,
    toolCount(tools),
    meanings[exposure],
  ];
  const rows = [row('all', lists.all), ...(lists.search === undefined ? [] : [row('search', lists.search)])];
  return textTable(terminal, [{}, { align: 'right' }, { align: 'right' }, { narrow: 'wrap' }], rows);
}
