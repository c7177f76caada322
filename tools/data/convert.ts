import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { saveFile } from './files/save-file.ts';
import type { FileOptions } from './load/file-options.ts';
import type { ChildContext } from './shared/context.ts';
import { excerpt, Failure, withFailures } from './shared/failure.ts';

/** Output formats by file extension. */
const formats: Readonly<Record<string, SavedFormat>> = {
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.parquet': 'parquet',
};

export type SavedFormat = 'csv' | 'tsv' | 'json' | 'jsonl' | 'parquet';

interface ConvertParameters {
  readonly files: readonly FileOptions[];
  readonly sql?: string;
  readonly to: string;
  readonly overwrite: boolean;
}

interface ConvertResult {
  readonly path: string;
  readonly format: SavedFormat;
  readonly rows: number;
  readonly bytes: number;
}

/**
 * Saves a table, or the result of one SELECT, as a file. A child process reads, queries and writes one file in a private
 * folder; this process moves it to the destination.
 */
export function convert({ files, sql, to, overwrite }: ConvertParameters, context: ChildContext): Promise<ConvertResult> {
  return withFailures(context, 'The conversion', async () => {
    const format = formats[path.extname(to).toLowerCase()];
    if (format === undefined)
      throw new Failure(
        'INVALID_PARAMETERS',
        `Cannot write "${excerpt(to)}": expected a name that ends in ${Object.keys(formats).join(', ')}. For Excel use sheet_write.`,
      );
    if (!overwrite && existsSync(to))
      throw new Failure('INVALID_PARAMETERS', `"${excerpt(to)}" is there already. Name another file, or give overwrite: true.`);
    const folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-data-'));
    try {
      const scratch = path.join(folder, 'table');
      const { rows } = (await context.inChild('./convert-in-child.ts#convertInChild', {
        files,
        format,
        scratch,
        ...(sql === undefined ? {} : { sql }),
      })) as { rows: number };
      return { path: to, format, rows, bytes: await saveFile(to, { from: { file: scratch }, overwrite }) };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}
