import { saveFile } from './files/save-file.ts';
import type { ToolContext } from './shared/context.ts';
import { excerpt, Failure, withFailures } from './shared/failure.ts';

type Value = string | number | boolean | null;

interface SheetData {
  readonly name: string;
  readonly rows: readonly (readonly Value[])[];
}

interface WriteParameters {
  readonly path: string;
  readonly sheets: readonly SheetData[];
  readonly overwrite: boolean;
}

interface WriteResult {
  readonly path: string;
  readonly bytes: number;
  readonly sheets: readonly { readonly name: string; readonly rows: number }[];
}

/** Writes an Excel workbook. A text never becomes a formula, whatever it begins with. */
export function sheetWrite({ path, sheets, overwrite }: WriteParameters, context: ToolContext): Promise<WriteResult> {
  return withFailures(context, 'Writing the workbook', async () => {
    if (!/\.xlsx$/i.test(path))
      throw new Failure(
        'INVALID_PARAMETERS',
        `Cannot write "${excerpt(path)}": expected a name that ends in .xlsx. For other formats use data_convert.`,
      );
    for (const [index, { name }] of sheets.entries())
      refuseName(
        name,
        sheets.slice(0, index).map((sheet) => sheet.name),
      );
    const { default: writeExcelFile } = await import('write-excel-file/node');
    const made = sheets.map(({ name, rows }) => ({ sheet: name, data: rows.map((row) => row.map(cellOf)) }));
    const content = await writeExcelFile(made as never).toBuffer();
    const bytes = await saveFile(path, { from: content, overwrite });
    return { path, bytes, sheets: sheets.map(({ name, rows }) => ({ name, rows: rows.length })) };
  });
}

/** Converts a day or a time in ISO 8601 to a date of the workbook; all other texts stay text. */
function cellOf(value: Value): unknown {
  if (typeof value !== 'string') return value;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const isTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z?$/.test(value);
  if (!isDay && !isTime) return { value, type: String };
  const date = new Date(isDay ? `${value}T00:00:00Z` : `${value.replace(' ', 'T').replace(/Z$/, '')}Z`);
  // An impossible day, such as 2026-02-30, is no date.
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(value.slice(0, 10))) return { value, type: String };
  return { value: date, type: Date, format: isDay ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss' };
}

/** Applies Excel's rules for sheet names; Excel reports a file that breaks them as damaged. */
function refuseName(name: string, before: readonly string[]): void {
  const problem = /[:\\/?*[\]]/.test(name)
    ? 'has one of : \\ / ? * [ ]'
    : name.startsWith("'") || name.endsWith("'")
      ? 'begins or ends with an apostrophe'
      : undefined;
  const isTaken = before.some((other) => other.toLowerCase() === name.toLowerCase());
  if (problem !== undefined || isTaken)
    throw new Failure(
      'INVALID_PARAMETERS',
      `The sheet name "${excerpt(name, 40)}" ${problem ?? 'is there twice'}. Choose another of at most 31 characters.`,
    );
}
