import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { figureRow, type Row } from '../rows.ts';

const run = promisify(execFile);

/** Heap that the definitions of 400 tools take which share 700 schemas, as those of DocuSign do, listed and linked, in a process of its own. */
export async function heapOfSchemas(): Promise<Row[]> {
  const { stdout } = await run(process.execPath, ['--expose-gc', '--import', 'tsx', path.join(import.meta.dirname, 'heap-probe.ts')]);
  const [kept = 0, document = 0] = stdout.trim().split(' ').map(Number);
  const mebibyte = 1024 * 1024;
  return [
    figureRow(`heap of 400 tools over 700 schemas (${(document / mebibyte).toFixed(1)} MiB of JSON)`, {
      value: kept / mebibyte,
      unit: 'MiB',
      most: 5,
    }),
  ];
}
