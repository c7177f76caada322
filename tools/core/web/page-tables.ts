import type { Cheerio, CheerioAPI } from 'cheerio';
import { ToolkitError } from '../../../kernel/index.ts';
import { oneLine, openPage, type PageData, withinStack } from './page-document.ts';

interface Table {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Maximum number of columns of one table, whatever its colspans. */
const maxColumns = 1000;

/** Maximum number of cells of all tables, repeated ones included: spans of a small page can make millions. */
const maxCells = 1_000_000;

/** Returns the tables of a page, or the one with this index, from 0. Runs in a child process. Throws OUTPUT_TOO_LARGE. */
export async function tablesOf({ index, ...page }: PageData & { readonly index?: number }): Promise<{ tables: Table[] }> {
  const { $ } = await openPage(page);
  const elements = $('table').toArray();
  const wanted = index === undefined ? elements : elements.slice(index, index + 1);
  const tables: Table[] = [];
  let remainingCells = maxCells;
  for (const element of wanted) {
    const table = withinStack(() => tableOf($, $(element) as Cheerio<never>, remainingCells));
    remainingCells -= table.rows.reduce((sum, row) => sum + row.length, table.headers.length);
    tables.push(table);
  }
  return { tables };
}

function tableOf($: CheerioAPI, table: Cheerio<never>, remainingCells: number): Table {
  // Excludes rows of nested tables.
  const rows = table
    .find('tr')
    .toArray()
    .filter((row) => $(row).closest('table').is(table));
  const texts = spread(
    rows.map((row) => cellsOf($, row)),
    remainingCells,
  );
  const heads = rows.findIndex((row) => !isHead($, row));
  const count = heads === -1 ? rows.length : heads;
  const [headers = [], ...rest] = count === 0 ? [[], ...texts] : [texts[count - 1] ?? [], ...texts.slice(count)];
  return { headers, rows: rest };
}

function isHead($: CheerioAPI, row: Parameters<CheerioAPI>[0]): boolean {
  const cells = $(row).children('th, td');
  return $(row).parent('thead').length > 0 || (cells.length > 0 && cells.filter('td').length === 0);
}

interface Cell {
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
}

function cellsOf($: CheerioAPI, row: Parameters<CheerioAPI>[0]): Cell[] {
  return $(row)
    .children('th, td')
    .toArray()
    .map((cell) => ({
      text: oneLine($(cell).text()),
      columns: spanOf($(cell).attr('colspan')),
      rows: spanOf($(cell).attr('rowspan')),
    }));
}

function spanOf(written: string | undefined): number {
  const span = Number.parseInt(written ?? '1', 10);
  return Number.isInteger(span) && span > 0 ? Math.min(span, maxColumns) : 1;
}

/** Returns every row with a text for each column, where a spanning cell fills all rows and columns that it covers. */
function spread(rows: readonly (readonly Cell[])[], remainingCells: number): string[][] {
  const down = new Map<number, { text: string; left: number }>();
  let count = 0;
  return rows.map((cells) => {
    const line: string[] = [];
    const queue = [...cells].reverse();
    const lastFromAbove = Math.max(-1, ...down.keys());
    for (let column = 0; column < maxColumns; column++) {
      const above = down.get(column);
      if (above !== undefined) {
        line[column] = above.text;
        if (above.left === 1) down.delete(column);
        else down.set(column, { ...above, left: above.left - 1 });
        continue;
      }
      const cell = queue.pop();
      if (cell === undefined) {
        if (column > lastFromAbove) break;
        line[column] = '';
        continue;
      }
      for (let offset = 0; offset < cell.columns && column + offset < maxColumns; offset++) {
        line[column + offset] = cell.text;
        if (cell.rows > 1) down.set(column + offset, { text: cell.text, left: cell.rows - 1 });
      }
      column += cell.columns - 1;
    }
    count += line.length;
    if (count > remainingCells) throw tooManyCells();
    return line;
  });
}

function tooManyCells(): ToolkitError {
  return new ToolkitError(
    'OUTPUT_TOO_LARGE',
    `The tables of the page have more than ${maxCells} cells, those that span columns and rows counted for each. Choose one of them with "index".`,
  );
}
