import type Turndown from 'turndown';
import { safeAddress } from './safe-address.ts';
import { silentElements } from './silent-elements.ts';

/** The members of a DOM element that the rules read. */
interface Element {
  readonly nodeName: string;
  readonly parentNode: Element | null;
  readonly childNodes: ArrayLike<Element>;
  readonly nextSibling: { readonly nodeValue: string | null } | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null | undefined;
}

/**
 * Adds rules for safe links and images, and for the parts that GitHub Flavored Markdown adds to CommonMark: tables, strikethrough, task
 * lists.
 */
export function addRules(turndown: Turndown, base: string | undefined): void {
  turndown.remove(silentElements as Turndown.Filter);
  add(turndown, 'link', isNamed('A'), (content, node) => link(content, safeAddress(node.getAttribute('href'), base)));
  add(turndown, 'image', isNamed('IMG'), (_, node) => image(node.getAttribute('alt') ?? '', safeAddress(node.getAttribute('src'), base)));
  add(turndown, 'strikethrough', isNamed('DEL', 'S', 'STRIKE'), (content) => (content.trim() === '' ? content : `~~${content}~~`));
  add(turndown, 'task', isTaskBox, (_, node) => taskBox(node));
  addTables(turndown);
}

function add(
  turndown: Turndown,
  name: string,
  matches: (node: Element) => boolean,
  write: (content: string, node: Element) => string,
): void {
  turndown.addRule(name, {
    filter: (node) => matches(node as unknown as Element),
    replacement: (content, node) => write(content, node as unknown as Element),
  });
}

function isNamed(...names: readonly string[]): (node: Element) => boolean {
  return ({ nodeName }) => names.includes(nodeName);
}

function isTaskBox(node: Element): boolean {
  return node.nodeName === 'INPUT' && node.getAttribute('type') === 'checkbox' && node.parentNode?.nodeName === 'LI';
}

/** Returns `[x]` or `[ ]`, with one space before the text. */
function taskBox(node: Element): string {
  const box = node.getAttribute('checked') === null ? '[ ]' : '[x]';
  return /^\s/.test(node.nextSibling?.nodeValue ?? '') ? box : `${box} `;
}

function link(content: string, address: string | undefined): string {
  const text = oneLine(content);
  return address === undefined || text === '' ? content : `[${text}](${address})`;
}

function image(alternative: string, address: string | undefined): string {
  return address === undefined ? '' : `![${oneLine(alternative).replace(/[[\]]/g, '\\$&')}](${address})`;
}

/** Adds a rule for tables with a heading row. All other tables are layout: their cells stay paragraphs. */
function addTables(turndown: Turndown): void {
  const known = new Map<Element, boolean>();
  const isData = (table: Element): boolean => {
    const decided = known.get(table);
    if (decided !== undefined) return decided;
    // This parser returns undefined in place of null.
    const isOne = (table.querySelector('table') ?? null) === null && (table.querySelector('tr > th') ?? null) !== null;
    known.set(table, isOne);
    return isOne;
  };
  const inData =
    (...names: readonly string[]) =>
    (node: Element): boolean => {
      const table = names.includes(node.nodeName) ? closestTable(node) : null;
      return table !== null && isData(table);
    };
  add(turndown, 'cell', inData('TD', 'TH'), (content) => ` ${oneLine(content).replaceAll('|', '\\|')} |`);
  add(turndown, 'row', inData('TR'), (content, row) => `\n|${content}${isFirstRow(row) ? ruler(row) : ''}`);
  add(turndown, 'section', inData('THEAD', 'TBODY', 'TFOOT'), (content) => content);
  add(turndown, 'table', inData('TABLE'), (content) => `\n\n${content.trim()}\n\n`);
}

function closestTable(node: Element): Element | null {
  let found: Element | null = node;
  while (found !== null && found.nodeName !== 'TABLE') found = found.parentNode;
  return found;
}

function isFirstRow(row: Element): boolean {
  return closestTable(row)?.querySelector('tr') === row;
}

/** Returns the line below the first row, such as `| --- | --- |`. */
function ruler(row: Element): string {
  const cells = Array.from(row.childNodes).filter(isNamed('TD', 'TH'));
  return `\n|${' --- |'.repeat(cells.length)}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
