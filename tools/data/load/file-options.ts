/** The formats that tables are read from. */
export type FileFormat = 'csv' | 'tsv' | 'json' | 'jsonl' | 'parquet' | 'xlsx' | 'sqlite' | 'lines';

/** A file that a caller names, with what it says of it. */
export interface FileOptions {
  readonly path: string;
  /** Names of files in the folder at `path`, with `*` and `?`: all of them are one table, with a column `file`. */
  readonly pattern?: string;
  /** Name of the table. @default from the name of the file */
  readonly table?: string;
  /** @default found out from the content and the name */
  readonly format?: FileFormat;
  readonly delimiter?: string;
  /** @default utf-8, or what a byte order mark says */
  readonly encoding?: string;
  /** @default true */
  readonly header?: boolean;
  /** Lines, or rows of a sheet, before the header. @default 0 */
  readonly skip_rows?: number;
  /** The character that begins a line of CSV which holds no row. @default none */
  readonly comment?: string;
  /** One sheet or table of the file. @default all */
  readonly sheet?: string;
  /** Leaves every column of CSV a text. @default false */
  readonly all_text?: boolean;
}
