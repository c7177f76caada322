import { excerpt, Failure } from '../shared/failure.ts';
import type { InputFile } from './open-input.ts';

export interface Sheet {
  readonly name: string;
  /** Rows of cells. A formula is its saved value; a date has no time zone, and is read as UTC. */
  readonly rows: readonly (readonly (string | number | boolean | Date | null)[])[];
}

/** Maximum size of a workbook, in bytes: it is unpacked in memory. */
const maxBytes = 64 * 1024 * 1024;

/** Reads all sheets of an Excel workbook (.xlsx). Throws INVALID_PARAMETERS. */
export async function readWorkbook({ handle, name, bytes }: InputFile): Promise<readonly Sheet[]> {
  if (bytes > maxBytes)
    throw new Failure(
      'INVALID_PARAMETERS',
      `"${excerpt(name)}" has ${bytes} bytes; expected a workbook of at most ${maxBytes} (64 MB). Save its sheets as CSV.`,
    );
  const { default: readExcelFile } = await import('read-excel-file/node');
  try {
    const content = Buffer.alloc(bytes);
    await handle.read(content, 0, bytes, 0);
    const sheets = await readExcelFile(content, { trim: false });
    return sheets.map(({ sheet, data }) => ({ name: sheet, rows: (data as Sheet['rows']).map((row) => row.map(wholeTime)) }));
  } catch (error) {
    throw new Failure(
      'INVALID_PARAMETERS',
      `Cannot read "${excerpt(name)}" as an Excel workbook: ${excerpt((error as Error).message)}. Expected .xlsx; save an .xls or .ods as .xlsx.`,
    );
  }
}

/** Returns the sheet with a name, or the first sheet without one. Throws INVALID_PARAMETERS. */
export function sheetNamed(sheets: readonly Sheet[], wanted: string | undefined, { name }: InputFile): Sheet {
  const found = wanted === undefined ? sheets[0] : sheets.find((sheet) => sheet.name === wanted);
  if (found !== undefined) return found;
  throw new Failure(
    'INVALID_PARAMETERS',
    `"${excerpt(name)}" has no sheet "${excerpt(wanted ?? '', 50)}". It has ${excerpt(sheets.map((sheet) => sheet.name).join(', '))}.`,
  );
}

/** Rounds a time to the second: workbooks store days as fractions, which are some microseconds off. */
function wholeTime(cell: Sheet['rows'][number][number]): Sheet['rows'][number][number] {
  if (!(cell instanceof Date)) return cell;
  const second = Math.round(cell.getTime() / 1000) * 1000;
  return Math.abs(cell.getTime() - second) <= 2 ? new Date(second) : cell;
}
