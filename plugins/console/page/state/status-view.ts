import type { VNode } from 'preact';
import { DetailsList } from '../components/details-list.ts';
import { Pager } from '../components/pager.ts';
import { type Column, Table } from '../components/table.ts';
import { isObject } from '../form/schema-node.ts';
import { shownLine } from '../formats/shown-text.ts';
import { useShown } from '../hooks/use-shown.ts';
import { type Children, html } from '../html.ts';
import { nameInWords, valueInWords } from './status-words.ts';

/** Number of nested levels that are drawn; deeper ones are JSON. */
const maxDepth = 3;

/** A part of a status: single values as a list, lists of objects as tables, and objects below their names. */
export function StatusView({ name, value, depth = 0 }: { readonly name: string; readonly value: unknown; readonly depth?: number }): VNode {
  if (Array.isArray(value)) return html`<${StatusList} name=${name} items=${value} />`;
  if (!isObject(value) || depth > maxDepth) return html`<span>${shownLine(text(name, value))}</span>`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const single = members.filter(([, member]) => !isNested(member));
  const nested = members.filter(([, member]) => isNested(member));
  if (members.length === 0) return html`<p class="muted">Nothing to show now.</p>`;
  return html`<div class="status">
    ${single.length > 0 && html`<${DetailsList} items=${single.map(([key, member]) => [nameInWords(key), shownLine(text(key, member))])} />`}
    ${nested.map(
      ([key, member]) =>
        html`<div key=${key} class="status-part"><h3>${shownLine(nameInWords(key))}</h3><${StatusView} name=${key} value=${member} depth=${depth + 1} /></div>`,
    )}
  </div>`;
}

function StatusList({ name, items }: { readonly name: string; readonly items: readonly unknown[] }): VNode {
  const shown = useShown(items, 50);
  if (items.length === 0) return html`<p class="muted">None.</p>`;
  const pager =
    items.length > 50 &&
    html`<${Pager} shown=${shown.rows.length} noun=${`of ${items.length} row`} hasMore=${shown.hasMore} isLoading=${false} onMore=${shown.more} />`;
  if (!items.every(isObject)) return html`<p>${shownLine(shown.rows.map((item) => text(name, item)).join(', '))}</p>${pager}`;
  const keys = [...new Set(items.flatMap((item) => Object.keys(item as object)))].slice(0, 8);
  const columns: readonly Column<readonly [number, unknown]>[] = keys.map((key) => ({
    title: nameInWords(key),
    isNumber: items.every((item) => ['number', 'undefined'].includes(typeof (item as Record<string, unknown>)[key])),
    show: ([, item]): Children => shownLine(text(key, (item as Record<string, unknown>)[key])),
  }));
  return html`<${Table} caption=${nameInWords(name)} columns=${columns} rows=${shown.rows.map((item, index) => [index, item])} keyOf=${([index]: readonly [number]) => String(index)} />${pager}`;
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !isTextList(value);
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.length <= 20 && value.every((item) => typeof item !== 'object');
}

function text(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((item) => text(name, item)).join(', ');
  return isObject(value) ? JSON.stringify(value) : valueInWords(name, value);
}
