import type Turndown from 'turndown';

/** Used part of the DOM that Turndown passes. */
interface PageNode {
  readonly nodeName: string;
  readonly parentNode: PageNode | null;
  readonly childNodes: Iterable<PageNode>;
  /** Returns undefined when nothing matches; this parser never returns null. */
  querySelector(selector: string): PageNode | undefined;
}

/** Adds rules that convert tables with a heading row to Markdown tables. Other tables are layout: their cells stay paragraphs. */
export function addPageTables(turndown: Turndown): void {
  const known = new WeakMap<PageNode, boolean>();
  const isData = (table: PageNode): boolean => {
    const isDataTable = known.get(table) ?? (table.querySelector('table') === undefined && table.querySelector('tr > th') !== undefined);
    known.set(table, isDataTable);
    return isDataTable;
  };
  const add = (name: string, elements: readonly string[], replacement: (content: string, node: PageNode) => string): void => {
    const filter = (node: unknown): boolean => {
      const { nodeName } = node as PageNode;
      const table = elements.includes(nodeName) ? closestTable(node as PageNode) : null;
      return table !== null && isData(table);
    };
    turndown.addRule(name, { filter, replacement: (content, node) => replacement(content, node as unknown as PageNode) });
  };
  add('cell', ['TD', 'TH'], (content) => ` ${content.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')} |`);
  add('row', ['TR'], (content, row) => `\n|${content}${isFirst(row) ? ruler(row) : ''}`);
  add('section', ['THEAD', 'TBODY', 'TFOOT'], (content) => content);
  add('table', ['TABLE'], (content) => `\n\n${content.trim()}\n\n`);
}

function closestTable(node: PageNode): PageNode | null {
  let found: PageNode | null = node;
  while (found !== null && found.nodeName !== 'TABLE') found = found.parentNode;
  return found;
}

function isFirst(row: PageNode): boolean {
  return closestTable(row)?.querySelector('tr') === row;
}

/** Returns the line that marks the first row as the head of a Markdown table. */
function ruler(row: PageNode): string {
  const cells = Array.from(row.childNodes).filter(({ nodeName }) => nodeName === 'TD' || nodeName === 'TH');
  return `\n|${' --- |'.repeat(cells.length)}`;
}
