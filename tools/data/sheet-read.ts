import { openInput } from './files/open-input.ts';
import { readWorkbook, sheetNamed } from './files/read-workbook.ts';
import type { ToolContext } from './shared/context.ts';
import { withFailures } from './shared/failure.ts';
import { pageOf } from './shared/page.ts';

interface SheetParameters {
  readonly path: string;
  readonly sheet?: string;
  readonly max_rows: number;
  readonly offset: number;
}

interface SheetResult {
  readonly sheet: string;
  readonly rows: readonly (readonly unknown[])[];
  readonly total_rows: number;
  readonly sheets: readonly { readonly name: string; readonly rows: number }[];
  readonly truncated: boolean;
  readonly next_offset?: number;
}

/** Reads the cells of one sheet of an Excel workbook. */
export function sheetRead({ path, sheet: wanted, max_rows: maxRows, offset }: SheetParameters, context: ToolContext): Promise<SheetResult> {
  return withFailures(context, 'Reading the sheet', async () => {
    const file = await openInput(path);
    try {
      const all = await readWorkbook(file);
      const { name, rows } = sheetNamed(all, wanted, file);
      const limit = context.output?.budget === undefined ? 4_000_000 : Math.max(2000, context.output.budget - 4000);
      const { items, end } = await pageOf(rows, { offset, maxItems: maxRows, maxCharacters: limit }, (row) => row.map(cellText));
      return {
        sheet: name,
        rows: items,
        total_rows: rows.length,
        sheets: all.map((sheet) => ({ name: sheet.name, rows: sheet.rows.length })),
        ...end,
      };
    } finally {
      await file.handle.close();
    }
  });
}

/** Formats a cell. A date without a time of day is a day. */
function cellText(cell: unknown): unknown {
  return cell instanceof Date
    ? cell
        .toISOString()
        .replace(/T00:00:00\.000Z$/, '')
        .replace(/\.000Z$/, '')
        .replace(/Z$/, '')
    : cell;
}
