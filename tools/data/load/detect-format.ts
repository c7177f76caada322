import path from 'node:path';
import type { InputFile } from '../files/open-input.ts';
import { excerpt, Failure } from '../shared/failure.ts';
import type { FileFormat } from './file-options.ts';

export interface DetectedFormat {
  readonly format: FileFormat;
  readonly isGzip: boolean;
}

const byExtension: Readonly<Record<string, FileFormat>> = {
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.tab': 'tsv',
  '.txt': 'lines',
  '.log': 'lines',
  '.json': 'json',
  '.geojson': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.parquet': 'parquet',
  '.xlsx': 'xlsx',
  '.sqlite': 'sqlite',
  '.sqlite3': 'sqlite',
  '.db': 'sqlite',
};

/** Detects the format of a file: from its first bytes if possible, else from its name. Throws INVALID_PARAMETERS. */
export async function detectFormat({ handle, name }: InputFile, format: FileFormat | undefined): Promise<DetectedFormat> {
  const head = Buffer.alloc(16);
  const { bytesRead } = await handle.read(head, 0, head.length, 0);
  const begins = (bytes: string): boolean => head.subarray(0, bytesRead).toString('latin1').startsWith(bytes);
  const isGzip = begins('\x1f\x8b');
  const own = isGzip ? undefined : formatOf(begins);
  const extension = path.extname(name.replace(/\.gz$/i, '')).toLowerCase();
  const found = format ?? own ?? byExtension[extension];
  if (found === undefined) throw unknownFormat(name, extension);
  const isBinary = found === 'parquet' || found === 'xlsx' || found === 'sqlite';
  if (isBinary && found !== own)
    throw new Failure(
      'INVALID_PARAMETERS',
      `"${excerpt(name)}" is no ${found} file${isGzip ? ' but gzip; unpack it first (archive_gunzip)' : ''}.`,
    );
  if (!isBinary && own !== undefined)
    throw new Failure('INVALID_PARAMETERS', `"${excerpt(name)}" is a ${own} file, not ${found}. Leave "format" out.`);
  return { format: found, isGzip };
}

function formatOf(begins: (bytes: string) => boolean): FileFormat | undefined {
  if (begins('PAR1')) return 'parquet';
  if (begins('SQLite format 3\0')) return 'sqlite';
  return begins('PK\x03\x04') ? 'xlsx' : undefined;
}

function unknownFormat(name: string, extension: string): Failure {
  const known = 'csv, tsv, json, jsonl, lines, parquet, xlsx or sqlite';
  return new Failure(
    'INVALID_PARAMETERS',
    `Cannot tell what "${excerpt(name)}" is from its content or its name ("${excerpt(extension)}"). Give "format": ${known}.`,
  );
}
