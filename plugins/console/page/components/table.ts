import type { VNode } from 'preact';
import { type Children, html } from '../html.ts';

export interface Column<Row> {
  readonly title: string;
  readonly show: (row: Row) => Children;
  /** True for numbers and times, which stand right in figures of equal width. @default false */
  readonly isNumber?: boolean;
  /** True for the column that takes the room that is left. @default false */
  readonly isWide?: boolean;
}

export interface TableProps<Row> {
  /** Name of the table, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Address of the row. The first column is its link, and a click anywhere in the row follows it. */
  readonly hrefOf?: (row: Row) => string;
}

/** A table that becomes a list of cards on a phone. Its roles are written out because cards are no tables for some browsers. */
export function Table<Row>({ caption, columns, rows, keyOf, hrefOf }: TableProps<Row>): VNode {
  const cell = (row: Row, column: Column<Row>, index: number): VNode => {
    const content = column.show(row);
    const isLink = index === 0 && hrefOf !== undefined;
    return html`<td role="cell" class=${classOf(column)} data-title=${column.title}>
      ${isLink ? html`<a class="row-link" href=${hrefOf(row)}>${content}</a>` : html`<span>${content}</span>`}
    </td>`;
  };
  return html`<div class="table-frame"><table role="table" aria-label=${caption}>
    <thead role="rowgroup"><tr role="row">
      ${columns.map((column) => html`<th role="columnheader" scope="col" class=${classOf(column)}>${column.title}</th>`)}
    </tr></thead>
    <tbody role="rowgroup">${rows.map((row) => html`<tr role="row" key=${keyOf(row)}>${columns.map((column, index) => cell(row, column, index))}</tr>`)}</tbody>
  </table></div>`;
}

function classOf({ isNumber = false, isWide = false }: { readonly isNumber?: boolean; readonly isWide?: boolean }): string {
  return `${isNumber ? 'number' : ''} ${isWide ? 'wide' : ''}`;
}
