/** Input formats of tables. */
export type FileFormat = 'csv' | 'tsv' | 'json' | 'jsonl' | 'parquet' | 'xlsx' | 'sqlite' | 'lines';

/** Input file with its options. */
export interface FileOptions {
  readonly path: string;
  /** Pattern for names of files in the folder at `path`, with `*` and `?`: all of them are one table, with a column `file`. */
  readonly pattern?: string;
  /** Name of the table. @default from the name of the file */
  readonly table?: string;
  /** Input format. @default detected from content and name */
  readonly format?: FileFormat;
  readonly delimiter?: string;
  /** Encoding. @default utf-8, or that of a byte order mark */
  readonly encoding?: string;
  /** True when the first row holds the column names. @default true */
  readonly header?: boolean;
  /** Number of lines, or rows of a sheet, before the header. @default 0 */
  readonly skip_rows?: number;
  /** Character that begins a comment line of CSV. @default none */
  readonly comment?: string;
  /** One sheet or table of the file. @default all */
  readonly sheet?: string;
  /** True to keep every column of CSV as text. @default false */
  readonly all_text?: boolean;
}
