import { stat } from 'node:fs/promises';
import path from 'node:path';
import { ToolkitError } from '../../../kernel/index.ts';
import type { VerifyOptions } from '../chain-check.ts';
import { rotatedFiles } from '../rotated-files.ts';
import { verifyChain } from '../verify-chain.ts';
import type { Finding, SegmentReport, VerifyReport } from '../verify-report.ts';
import { IndexEntries } from './index-entries.ts';
import { indexName, segmentNames } from './segment-names.ts';

/**
 * Verifies the trail of a folder: the index, which names the segments, and each segment against its entry. Records of different segments are
 * ordered by their times only. Throws INVALID_PARAMETERS for a folder without a trail.
 */
export async function verifyFolder(folder: string, options: VerifyOptions): Promise<VerifyReport> {
  const { head: expectedHeads, ...common } = options;
  const heads = new Set(expectedHeads?.split(','));
  // Before the index is read: a segment that has records now has its entry by then.
  const written = await findWrittenSegments(folder);
  const entries = new IndexEntries();
  const see = ({ hash }: { readonly hash: string }): void => void heads.delete(hash);
  const indexFile = path.join(folder, indexName);
  const index = await verifyChain(indexFile, common, {
    hasHead: true,
    onRecord: (record) => {
      see(record);
      if (record.body !== undefined) entries.add({ hash: record.hash, body: record.body });
    },
  });
  if (index === undefined && written.size === 0) {
    const message = `There is no audit trail in "${folder}". Name the file, or the folder, of the option "path".`;
    throw new ToolkitError('INVALID_PARAMETERS', message);
  }
  const finding = (name: string, message: string): Finding => ({ file: path.join(folder, name), line: 0, message });
  const problems: Finding[] = index === undefined ? [finding(indexName, 'the index is missing: it was removed')] : [];
  const reports: (readonly [string, VerifyReport])[] = [];
  for (const name of [...new Set([...entries.names, ...written])].sort()) {
    const entry = entries.get(name);
    if (entry === undefined && index !== undefined)
      problems.push(finding(name, 'no entry of the index names it: the entry was removed, or the file put there'));
    const expected = entry === undefined ? {} : { start: entry.start, records: entry.rotated };
    const report = await verifyChain(path.join(folder, name), common, { ...expected, hasHead: true, onRecord: see });
    if (report === undefined) problems.push(finding(name, 'it is missing, and the index names it: it was removed'));
    else reports.push([name, report]);
  }
  if (heads.size > 0)
    problems.push(
      finding(indexName, 'no record has a hash that --head gives: records were cut off or replaced, or it is the head of another trail'),
    );
  return joinReports(problems, index === undefined ? [] : [index], reports);
}

/** Finds the segments with records. */
async function findWrittenSegments(folder: string): Promise<ReadonlySet<string>> {
  const written = new Set<string>();
  for (const name of await segmentNames(folder)) {
    const file = path.join(folder, name);
    const size = await stat(file).then(
      (stats) => stats.size,
      () => 0,
    );
    if (size > 0 || (await rotatedFiles(file)).length > 0) written.add(name);
  }
  return written;
}

function joinReports(
  problems: readonly Finding[],
  index: readonly VerifyReport[],
  segments: readonly (readonly [string, VerifyReport])[],
): VerifyReport {
  const all = [...index, ...segments.map(([, report]) => report)];
  const heads = all.map(({ head }) => head).filter((head) => head !== undefined);
  return {
    files: all.flatMap(({ files }) => files),
    records: segments.reduce((sum, [, { records }]) => sum + records, 0),
    segments: segments.map(([name, report]) => segmentReport(name, report)),
    ...(heads.length === 0 ? {} : { head: heads.join() }),
    problems: [...problems, ...all.flatMap((report) => report.problems)].slice(0, 100),
    problemCount: all.reduce((sum, report) => sum + report.problemCount, problems.length),
    notes: all.flatMap(({ notes }) => notes).slice(0, 100),
    unfinished: all.flatMap(({ unfinished }) => unfinished).slice(0, 100),
    unfinishedCount: all.reduce((sum, report) => sum + report.unfinishedCount, 0),
  };
}

function segmentReport(name: string, { records, first, last }: VerifyReport): SegmentReport {
  return { name, records, ...(first === undefined ? {} : { first }), ...(last === undefined ? {} : { last }) };
}
