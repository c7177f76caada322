import type { VNode } from 'preact';
import { DetailsList } from '../components/details-list.ts';
import { Pager } from '../components/pager.ts';
import { type Column, Table } from '../components/table.ts';
import { isObject } from '../form/schema-node.ts';
import { shownLine } from '../formats/shown-text.ts';
import { useShown } from '../hooks/use-shown.ts';
import { type Children, html } from '../html.ts';
import { memberTitle, nameInWords, valueInWords } from './status-words.ts';

/** Number of nested levels that are drawn; deeper ones are JSON. */
const maxDepth = 3;

export interface StatusViewProps {
  readonly name: string;
  readonly value: unknown;
  /** Sentence in place of an empty value. */
  readonly none: string;
  readonly depth?: number;
}

/** A part of a status: single values as a list, lists of objects as tables, and objects below their names. Empty members are left out. */
export function StatusView({ name, value, none, depth = 0 }: StatusViewProps): VNode {
  if (Array.isArray(value)) return html`<${StatusList} name=${name} items=${value} none=${none} />`;
  if (!isObject(value) || depth > maxDepth) return html`<span>${shownLine(text(name, value))}</span>`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined && !isEmpty(member));
  const single = members.filter(([, member]) => !isNested(member));
  const nested = members.filter(([, member]) => isNested(member));
  if (members.length === 0) return html`<p class="muted">${none}</p>`;
  return html`<div class="status">
    ${single.length > 0 && html`<${DetailsList} items=${single.map(([key, member]) => [shownLine(memberTitle(name, key)), shownLine(text(key, member))])} />`}
    ${nested.map(
      ([key, member]) =>
        html`<div key=${key} class="status-part"><h3>${shownLine(memberTitle(name, key))}</h3><${StatusView} name=${key} value=${member} none="None." depth=${depth + 1} /></div>`,
    )}
  </div>`;
}

function StatusList({ name, items, none }: { readonly name: string; readonly items: readonly unknown[]; readonly none: string }): VNode {
  const shown = useShown(items, 50);
  if (items.length === 0) return html`<p class="muted">${none}</p>`;
  const pager =
    items.length > 50 &&
    html`<${Pager} shown=${shown.rows.length} noun=${`of ${items.length} row`} hasMore=${shown.hasMore} isLoading=${false} onMore=${shown.more} />`;
  if (!items.every(isObject)) return html`<p>${shownLine(shown.rows.map((item) => text(name, item)).join(', '))}</p>${pager}`;
  const isShown = (key: string): boolean => items.some((item) => !isEmpty((item as Record<string, unknown>)[key]));
  const keys = [...new Set(items.flatMap((item) => Object.keys(item as object)))].filter(isShown).slice(0, 8);
  const columns: readonly Column<readonly [number, unknown]>[] = keys.map((key) => ({
    title: nameInWords(key),
    isNumber: items.every((item) => ['number', 'undefined'].includes(typeof (item as Record<string, unknown>)[key])),
    show: ([, item]): Children => shownLine(text(key, (item as Record<string, unknown>)[key])),
  }));
  return html`<${Table} caption=${nameInWords(name)} columns=${columns} rows=${shown.rows.map((item, index) => [index, item])} keyOf=${([index]: readonly [number]) => String(index)} />${pager}`;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.values(value).every(isEmpty);
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
