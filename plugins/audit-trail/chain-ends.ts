import type { Chain, ChainEnd } from './chain.ts';
import { chainStart } from './chain.ts';
import { firstLine, lastLine, rotatedFiles, withFile } from './rotated-files.ts';
import { trailError } from './trail-error.ts';
import type { TrailFile } from './trail-file.ts';

/**
 * Finds where the chain ends in a file that was just opened, and tells the file what stands behind its last line. `known` is the last
 * record that this process wrote. Throws for a file that is not the end of this chain.
 */
export async function endOfChain(file: TrailFile, chain: Chain, known: ChainEnd | undefined): Promise<ChainEnd> {
  const { line, rest } = await file.last();
  if (line === undefined && rest.length > 0 && rest[0] !== 0x7b)
    throw trailError(file.path, 'its file is no audit trail', 'Move it away, or name another file in "path".');
  const isEmpty = line === undefined && rest.length === 0;
  const written = line === undefined ? await endOfRotated(file.path, chain) : endIn(file.path, line, chain);
  const before = isEmpty && known !== undefined ? known : written;
  const behind = rest.length === 0 ? undefined : chain.read(rest);
  const isWhole = behind?.type === 'record' && behind.record.previous === before.hash && behind.record.seq === before.seq + 1;
  const { seq, hash } = isWhole ? behind.record : before;
  if (known !== undefined && known.hash !== hash)
    throw trailError(
      file.path,
      'its file was replaced or changed',
      `Put back the one that ends with record ${known.seq}; an empty file in its place goes on, and its first record says so.`,
    );
  file.setRest(rest, isWhole ? 'whole' : 'half');
  return { seq, hash };
}

function endIn(file: string, line: Buffer, chain: Chain): ChainEnd {
  const reading = chain.read(line);
  if (reading.type === 'record') return reading.record;
  const advice = 'Keep the files for inspection, and move all of them away to begin a new trail.';
  throw trailError(file, 'its last line does not verify', `Of that line, ${reading.problem}. ${advice}`);
}

/** A crash between two steps of a rotation leaves no file, or an empty one. */
async function endOfRotated(trail: string, chain: Chain): Promise<ChainEnd> {
  const newest = (await rotatedFiles(trail)).at(-1);
  if (newest === undefined) return chainStart;
  return withFile(newest.path, async (handle) => {
    const { line, rest } = await lastLine(handle, (await handle.stat()).size);
    return endIn(newest.path, line === undefined || rest.length > 0 ? rest : line, chain);
  });
}

/** The first record that rotation has left, as the first record of the newest file says it. */
export async function beginningOfChain(file: TrailFile, chain: Chain): Promise<number> {
  const newest = (await rotatedFiles(file.path)).at(-1);
  const line = (await file.first()) ?? (newest === undefined ? undefined : await withFile(newest.path, firstLine));
  const reading = line === undefined ? undefined : chain.read(line);
  const beginsAt = reading?.type === 'record' ? reading.record.body['begins_at'] : undefined;
  return typeof beginsAt === 'number' ? beginsAt : 1;
}

/** The number of the first record in a file; undefined when that does not verify. */
export async function firstSeqIn(file: string, chain: Chain): Promise<number | undefined> {
  const line = await withFile(file, firstLine);
  const reading = line === undefined ? undefined : chain.read(line);
  return reading?.type === 'record' ? reading.record.seq : undefined;
}
