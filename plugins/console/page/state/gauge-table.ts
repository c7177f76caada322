import type { VNode } from 'preact';
import type { ShownGauge } from '../../wire/state.ts';
import { Pager } from '../components/pager.ts';
import { type Column, Table } from '../components/table.ts';
import { shownLine } from '../formats/shown-text.ts';
import { useShown } from '../hooks/use-shown.ts';
import { html } from '../html.ts';
import { measured } from './status-words.ts';

/** One row of the table: a gauge, with one combination of its labels. */
interface GaugeLine {
  readonly gauge: ShownGauge;
  readonly labels: string;
  readonly value: string;
  /** True for the first line of its gauge. The lines below have only their labels. */
  readonly isFirst: boolean;
}

const columns: readonly Column<GaugeLine>[] = [
  {
    title: 'Meaning',
    show: ({ gauge, labels, isFirst }) =>
      html`${isFirst && html`<span class="gauge">${shownLine(gauge.description)}${gauge.kind === 'counter' ? ', since the start' : ''}</span>`}${labels !== '' && html`<span class="gauge muted">${shownLine(labels)}</span>`}`,
    isWide: true,
  },
  { title: 'Now', show: ({ value }) => value, isNumber: true },
  { title: 'Name', show: ({ gauge, isFirst }) => isFirst && html`<span class="whole-word mono muted">${shownLine(gauge.name)}</span>` },
];

/** The numbers of the server and its plugins. Rows of zero of a gauge with labels are left out. */
export function GaugeTable({ gauges }: { readonly gauges: readonly ShownGauge[] }): VNode {
  const lines = gauges.flatMap(linesOf);
  const shown = useShown(lines);
  return html`<${Table} caption="Measurements" columns=${columns} rows=${shown.rows} keyOf=${({ gauge, labels }: GaugeLine) => `${gauge.name} ${labels}`} />
    ${shown.hasMore && html`<${Pager} shown=${shown.rows.length} noun="measurement" hasMore isLoading=${false} onMore=${shown.more} />`}`;
}

function linesOf(gauge: ShownGauge): readonly GaugeLine[] {
  const { rows, unit, failure } = gauge;
  if (failure !== undefined) return [{ gauge, labels: '', value: failure, isFirst: true }];
  const labelled = rows.filter(({ labels, value }) => value !== 0 || Object.keys(labels).length === 0);
  if (labelled.length === 0) return [{ gauge, labels: '', value: rows.length === 0 ? 'none now' : measured(0, unit), isFirst: true }];
  return labelled.map(({ labels, value }, index) => ({
    gauge,
    labels: Object.entries(labels)
      .map(([name, label]) => `${name}: ${label}`)
      .join(', '),
    value: measured(value, unit),
    isFirst: index === 0,
  }));
}
