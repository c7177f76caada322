import { type Chain, type ChainEnd, digestOf } from './chain.ts';
import { firstLine, readTail, rotatedFiles, withFile } from './rotated-files.ts';
import { trailError } from './trail-error.ts';
import type { TrailFile } from './trail-file.ts';

/**
 * Finds the end of the chain in an opened file, and passes the file the bytes after its last line. `known` is the last record that this
 * process wrote, `start` the chain end before the first record. Throws when the file does not end this chain.
 */
export async function findChainEnd(
  file: TrailFile,
  { chain, start, known }: { readonly chain: Chain; readonly start: ChainEnd; readonly known: ChainEnd | undefined },
): Promise<ChainEnd> {
  const { line, rest } = await file.tail(createUnsealedTest(chain));
  if (line === undefined && rest.length > 0 && rest[0] !== 0x7b)
    throw trailError(file.path, 'its file is no audit trail', 'Move it away, or name another file in "path".');
  const isEmpty = line === undefined && rest.length === 0;
  const fileEnd = line === undefined ? await findEndOfRotated(file.path, chain, start) : readChainEnd(file.path, line, chain);
  const before = isEmpty && known !== undefined ? known : fileEnd;
  const sealedEnd = findSealedEnd(rest, chain, before);
  const { seq, hash } = sealedEnd ?? before;
  if (known !== undefined && known.hash !== hash)
    throw trailError(
      file.path,
      'its file was replaced or changed',
      `Put back the file that ends with record ${known.seq}, or an empty file: the trail then continues in it, and its first record notes that.`,
    );
  file.setRest(rest, sealedEnd === undefined ? 'half' : 'whole');
  return { seq, hash };
}

/** Returns a test for lines that a crash leaves after the last link: a record of a batch without its batch line, or half a line. */
function createUnsealedTest(chain: Chain): (line: Buffer) => boolean {
  return (line) => {
    if (line[0] !== 0x7b) return false;
    const reading = chain.read(line);
    return reading.type === 'member' || (reading.type === 'broken' && !reading.isJson);
  };
}

/** Returns the link that is complete but for its line end. Undefined without one, or when a record that it seals is missing. */
function findSealedEnd(rest: Buffer, chain: Chain, { seq, hash }: ChainEnd): ChainEnd | undefined {
  const start = rest.lastIndexOf(10) + 1;
  if (start === rest.length) return undefined;
  const reading = chain.read(rest.subarray(start));
  const link = reading.type === 'record' ? reading.record : reading.type === 'batch' ? reading.batch : undefined;
  if (link?.previous !== hash) return undefined;
  const digests = reading.type === 'batch' ? reading.batch.digests : [];
  const sealed: string[] = [];
  for (let from = 0; from < start; ) {
    const end = rest.indexOf(10, from);
    sealed.push(digestOf(rest.subarray(from, end)));
    from = end + 1;
  }
  const count = reading.type === 'batch' ? digests.length : 1;
  const isWhole = link.seq === seq + count && sealed.join() === digests.join();
  return isWhole ? { seq: link.seq, hash: link.hash } : undefined;
}

function readChainEnd(file: string, line: Buffer, chain: Chain): ChainEnd {
  const reading = chain.read(line);
  if (reading.type === 'record') return reading.record;
  if (reading.type === 'batch') return reading.batch;
  const problem = reading.type === 'member' ? 'nothing seals it' : reading.problem;
  const advice = 'Keep the files for inspection, and move all of them away to begin a new trail.';
  throw trailError(file, 'its last line does not verify', `Of that line, ${problem}. ${advice}`);
}

/** Returns the chain end in the newest rotated file: a crash during a rotation leaves no current file, or an empty one. */
async function findEndOfRotated(trail: string, chain: Chain, start: ChainEnd): Promise<ChainEnd> {
  const newest = (await rotatedFiles(trail)).at(-1);
  if (newest === undefined) return start;
  return withFile(newest.path, async (handle) => {
    const { line, rest } = await readTail(handle, (await handle.stat()).size, createUnsealedTest(chain));
    return readChainEnd(newest.path, line === undefined || rest.length > 0 ? rest : line, chain);
  });
}

/** Returns the number of the oldest record that rotation has not removed. The first record of the newest file has it. */
export async function findFirstSeq(file: TrailFile, chain: Chain): Promise<number> {
  const newest = (await rotatedFiles(file.path)).at(-1);
  const line = (await file.first()) ?? (newest === undefined ? undefined : await withFile(newest.path, firstLine));
  const reading = line === undefined ? undefined : chain.read(line);
  const beginsAt = reading?.type === 'record' ? reading.record.body['begins_at'] : undefined;
  return typeof beginsAt === 'number' ? beginsAt : 1;
}

/** Returns the number of the first record in a file; undefined when that record does not verify. */
export async function readFirstSeq(file: string, chain: Chain): Promise<number | undefined> {
  const line = await withFile(file, firstLine);
  const reading = line === undefined ? undefined : chain.read(line);
  return reading?.type === 'record' ? reading.record.seq : reading?.type === 'member' ? reading.member.seq : undefined;
}
