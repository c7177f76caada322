import type { BatchLine, BatchMember } from './chain.ts';
import type { UnsealedLine } from './unsealed-lines.ts';
import type { Finding } from './verify-report.ts';

/** A record of a batch whose line is unchanged since it was written. */
export interface SealedMember extends BatchMember {
  readonly finding: Finding;
}

export interface BatchReading {
  readonly members: readonly SealedMember[];
  readonly problems: readonly Finding[];
}

/** Compares the lines before a batch line with its digests. Finds the intact records, and reports records that were changed, moved, inserted or removed. */
export function readBatch({ digests, seq }: BatchLine, lines: readonly UnsealedLine[], at: (message: string) => Finding): BatchReading {
  const first = seq - digests.length + 1;
  const members: SealedMember[] = [];
  const problems: Finding[] = [];
  const seen = new Set<number>();
  let last = 0;
  for (const { finding, member } of lines) {
    const report = (message: string): void => void problems.push({ ...finding, message });
    if (member === undefined) {
      problems.push(finding);
      continue;
    }
    if (digests[member.seq - first] !== member.digest) {
      report('its hash is not in the batch line after it: it was changed or inserted');
      // The line stands at the index of the original record.
      seen.add(member.seq);
      continue;
    }
    if (seen.has(member.seq)) report(`it is a copy of record ${member.seq}`);
    else if (member.seq < last) report(`record ${member.seq} is out of place: it comes after record ${last}`);
    else members.push({ ...member, finding });
    seen.add(member.seq);
    last = Math.max(last, member.seq);
  }
  const lost = digests.map((_, index) => first + index).filter((number) => !seen.has(number));
  for (const [from, to] of ranges(lost)) problems.push(at(missing(from, to)));
  return { members, problems };
}

/** Describes a range of missing records. */
export function missing(from: number, to: number): string {
  return `${from === to ? `record ${from} is` : `records ${from} to ${to} are`} missing before it`;
}

/** Groups ascending numbers into ranges without gaps. */
function ranges(numbers: readonly number[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found;
}
