import { missing, readBatch } from './batch-check.ts';
import { type BatchLine, Chain, type ChainEnd, type ChainRecord, chainStart, type RecordBody } from './chain.ts';
import type { HeadCheck } from './head-check.ts';
import type { Line } from './lines.ts';
import { UnfinishedCalls } from './unfinished-calls.ts';
import { type UnsealedLine, UnsealedLines } from './unsealed-lines.ts';
import type { Finding, VerifyReport } from './verify-report.ts';

export interface VerifyOptions {
  /** The key that the trail was written with, if any. */
  readonly key?: string;
  /** A head noted earlier: the trail must still have that record. For a folder: the heads of its segments, separated by commas. */
  readonly head?: string;
}

/** Facts about a chain that are known before its files are read. */
export interface ExpectedChain {
  /** The chain end before the first record. @default zeros */
  readonly start?: ChainEnd;
  /** Records that the chain must have, unless rotation has removed them. */
  readonly records?: readonly ChainEnd[];
  /** True when the head file was written before the first record: a missing head file was removed. */
  readonly hasHead?: boolean;
  /** Receives each record that verifies. */
  readonly onRecord?: (link: ChainEnd & { readonly body?: RecordBody }) => void;
}

/** Maximum number of listed findings; further ones are only counted. */
const maxFindings = 100;

/** A record of either form: a link with its own hash, or a member of a batch. */
type SequencedRecord = Pick<ChainRecord, 'seq' | 'time' | 'body'>;

/** Follows the chain line by line over all files, and continues after a problem. */
export class ChainCheck {
  readonly #chain: Chain;
  readonly #head: string | undefined;
  readonly #headCheck: HeadCheck | undefined;
  readonly #expected: ExpectedChain;
  /** Expected records that were not read yet. */
  readonly #unseen: Map<string, number>;
  readonly #files: string[] = [];
  readonly #problems: Finding[] = [];
  readonly #notes: Finding[] = [];
  #problemCount = 0;
  #line = 0;
  #records = 0;
  /** The first record. `isSure`: no problem was found before it. */
  #first: (SequencedRecord & { readonly file: string; readonly isSure: boolean }) | undefined;
  #last: SequencedRecord | undefined;
  /** The chain end that the next record should continue. */
  #end: ChainEnd;
  /** A last link without its line end, left by a killed process or by one that is writing now. */
  #unendedLink: (Finding & { readonly hash: string }) | undefined;
  #lastHash = '';
  #isAfterBroken = false;
  #unsealed = new UnsealedLines();
  #beginsAt = 1;
  #isHeadSeen = false;
  readonly #unfinishedCalls = new UnfinishedCalls();

  constructor({ key, head }: VerifyOptions, headCheck?: HeadCheck, expected: ExpectedChain = {}) {
    this.#chain = new Chain(key);
    this.#head = head;
    this.#headCheck = headCheck;
    this.#expected = expected;
    this.#unseen = new Map(expected.records?.map(({ seq, hash }) => [hash, seq]));
    this.#end = expected.start ?? chainStart;
  }

  beginFile(file: string): void {
    // Only the last file may end so.
    this.#settleEnd(false);
    this.#files.push(file);
  }

  line({ number, bytes, isEnded }: Line): void {
    this.#line = number;
    const at = (message: string): Finding => ({ file: this.#files.at(-1) ?? '', line: number, message });
    const reading = bytes === undefined ? undefined : this.#chain.read(bytes);
    if (bytes === undefined || reading === undefined) this.#reportBroken(at('it is longer than any record'));
    else if (reading.type === 'member') this.#unsealed.add(bytes, { finding: at('no line after it seals it'), member: reading.member });
    else if (reading.type === 'record' || reading.type === 'batch') {
      const link = reading.type === 'record' ? reading.record : reading.batch;
      if (reading.type === 'record') this.#record(reading.record, at);
      else this.#batch(reading.batch, at);
      if (!isEnded) this.#unendedLink = { ...at('its line end is missing'), hash: link.hash };
    } else if (reading.isJson) {
      this.#reportBroken(at(reading.problem));
      if (reading.claims?.seq === this.#end.seq + Math.max(1, this.#unsealed.lines.length)) this.#moveTo(reading.claims);
      this.#unsealed = new UnsealedLines();
    } else this.#unsealed.add(bytes, { finding: at(isEnded ? reading.problem : this.#halfLineMessage(number)) });
  }

  report(): VerifyReport {
    this.#settleEnd(true);
    const first = this.#first;
    if (first?.isSure === true && first.seq > this.#beginsAt)
      this.#report({
        file: first.file,
        line: 1,
        message: `${missing(this.#beginsAt, first.seq - 1)}: the files begin with record ${first.seq}`,
      });
    const atEnd = (message: string): Finding => ({ file: this.#files.at(-1) ?? '', line: this.#line, message });
    if (this.#head !== undefined && !this.#isHeadSeen)
      this.#report(atEnd('no record has the hash that --head gives: records were cut off or replaced, or it is the head of another trail'));
    // Without the right key no record verifies, and the head says nothing.
    const { problem, note } = (this.#records === 0 && this.#problemCount > 0 ? undefined : this.#headCheck) ?? {};
    if (problem !== undefined) this.#report(atEnd(problem));
    if (note !== undefined && this.#expected.hasHead !== true) this.#note(atEnd(note));
    else if (note !== undefined && this.#records > 0) this.#report(atEnd(`${note}: it was removed or emptied`));
    for (const seq of this.#unseen.values())
      if (seq >= this.#beginsAt) this.#report(atEnd(`the index names record ${seq}, which is not there: a file was removed or replaced`));
    const last = this.#last;
    const { unfinished } = this.#unfinishedCalls;
    return {
      files: this.#files,
      records: this.#records,
      ...(first === undefined ? {} : { first: { seq: first.seq, time: first.time } }),
      ...(last === undefined ? {} : { last: { seq: last.seq, time: last.time }, head: this.#lastHash }),
      problems: this.#problems,
      problemCount: this.#problemCount,
      notes: this.#notes,
      unfinished: unfinished.slice(0, maxFindings),
      unfinishedCount: unfinished.length,
    };
  }

  #record(record: ChainRecord, at: (message: string) => Finding): void {
    this.#settleUnsealed(record, at);
    this.#checkJoin({ ...record, first: record.seq }, at);
    this.#markSeen(record);
    this.#expected.onRecord?.(record);
    this.#count(record);
    if (record.seq <= this.#end.seq) return;
    this.#moveTo(record);
    this.#lastHash = record.hash;
    this.#noteEvent(record, at);
    this.#accept(record, at('').line);
  }

  /** Checks the records before a batch line, and the batch line as their link. */
  #batch(batch: BatchLine, at: (message: string) => Finding): void {
    const { members, problems } = readBatch(batch, this.#unsealed.lines, at);
    this.#unsealed = new UnsealedLines();
    this.#checkJoin({ ...batch, first: batch.seq - batch.digests.length + 1 }, at);
    for (const problem of problems) this.#report(problem);
    this.#markSeen(batch);
    this.#expected.onRecord?.(batch);
    const isNew = batch.seq > this.#end.seq;
    for (const member of members) {
      this.#count(member);
      if (!isNew) continue;
      this.#noteEvent(member, (message) => ({ ...member.finding, message }));
      this.#accept(member, member.finding.line);
    }
    if (!isNew) return;
    this.#moveTo(batch);
    this.#lastHash = batch.hash;
  }

  /** Compares a link with the one before it. `first`: the number of its first record. */
  #checkJoin(
    { first, hash, previous }: ChainEnd & { readonly previous: string; readonly first: number },
    at: (message: string) => Finding,
  ): void {
    const joins = previous === this.#end.hash && first === this.#end.seq + 1;
    if (!joins && !(this.#first === undefined && first > 1)) this.#reportMisplaced({ seq: first, hash }, at);
  }

  #markSeen({ hash }: ChainEnd): void {
    this.#isHeadSeen ||= hash === this.#head;
    this.#headCheck?.onRecord(hash);
    this.#unseen.delete(hash);
  }

  #count(record: SequencedRecord): void {
    this.#first ??= { ...record, file: this.#files.at(-1) ?? '', isSure: this.#problemCount === 0 };
    this.#records++;
  }

  #accept(record: SequencedRecord, line: number): void {
    this.#last = record;
    this.#unfinishedCalls.add(record, { file: this.#files.at(-1) ?? '', line });
  }

  #moveTo({ seq, hash }: ChainEnd): void {
    this.#end = { seq, hash };
    this.#isAfterBroken = false;
  }

  #reportMisplaced({ seq, hash }: ChainEnd, at: (message: string) => Finding): void {
    const { seq: before, hash: hashBefore } = this.#end;
    // The broken lines before it were reported already.
    if (seq > before && this.#isAfterBroken) return;
    if (seq > before + 1) this.#report(at(missing(before + 1, seq - 1)));
    else if (before === 0) this.#report(at(this.#expected.start === undefined ? 'it is not the beginning of a trail' : foreignStart));
    else if (seq === before + 1) this.#report(at(`it does not continue record ${before}: one of the two was replaced`));
    else if (hash === hashBefore) this.#report(at(`it is a copy of record ${before}`));
    else this.#report(at(`record ${seq} is out of place: it comes after record ${before}`));
  }

  /** Notes events that the trail records about itself. */
  #noteEvent({ seq, body }: SequencedRecord, at: (message: string) => Finding): void {
    const { event, cause, begins_at: beginsAt, count } = body;
    if (event === 'continued' && typeof beginsAt === 'number') this.#beginsAt = Math.max(this.#beginsAt, beginsAt);
    if (event === 'continued' && cause === 'cut')
      this.#note(at(`record ${seq} says that the end before it was missing when a process started`));
    else if (event === 'continued' && cause !== 'rotated' && typeof cause === 'string')
      this.#note(at(`record ${seq} says that the file before it was ${/^[a-z]{1,20}$/.test(cause) ? cause : 'lost'} by another program`));
    if (event === 'lost' && typeof count === 'number') this.#note(at(`record ${seq} says that ${count} records were lost`));
  }

  #halfLineMessage(number: number): string {
    const isVerified = this.#problemCount === 0 && number > 1 && this.#unsealed.first === undefined;
    const verified = isVerified ? `; the file verifies up to line ${number - 1}` : '';
    return `it is half a line, as a crash leaves it, or a record that is being written${verified}`;
  }

  #settleUnsealed({ seq, body }: ChainRecord, at: (message: string) => Finding): void {
    if (body['event'] === 'recovered') {
      const { first } = this.#unsealed;
      if (first !== undefined && this.#unsealed.isAccountedForBy(body)) {
        this.#note({ ...first.finding, message: `${describeUnsealed(first)}, as a crash leaves it; record ${seq} says so` });
        this.#unsealed = new UnsealedLines();
      } else this.#report(at('it accounts for another half line than the one before it'));
    }
    this.#reportUnsealed();
  }

  /** Decides about unfinished lines at the end of a file. A killed process leaves half a write there, and a head that names an earlier record. */
  #settleEnd(isAtEnd: boolean): void {
    const { first, mayBeFromCrash: areOfCrash } = this.#unsealed;
    if (isAtEnd && first !== undefined && areOfCrash && this.#headCheck?.isBehind(undefined) === true) {
      const message = `${describeUnsealed(first)}, as a crash leaves it, or it is being written`;
      this.#note(first.member === undefined ? first.finding : { ...first.finding, message });
      this.#unsealed = new UnsealedLines();
    }
    this.#reportUnsealed();
    if (this.#unendedLink === undefined) return;
    const { hash, ...finding } = this.#unendedLink;
    this.#unendedLink = undefined;
    if (isAtEnd && this.#headCheck?.isBehind(hash) === true) this.#note(finding);
    else this.#report(finding);
  }

  /** Reports the unsealed lines: no later line accounts for them. */
  #reportUnsealed(): void {
    const { lines } = this.#unsealed;
    this.#unsealed = new UnsealedLines();
    for (const { finding } of lines) this.#reportBroken(finding);
  }

  #reportBroken(finding: Finding): void {
    this.#isAfterBroken = true;
    this.#report(finding);
  }

  #report(finding: Finding): void {
    this.#problemCount++;
    if (this.#problems.length < maxFindings) this.#problems.push(finding);
  }

  #note(finding: Finding): void {
    if (this.#notes.length < maxFindings) this.#notes.push(finding);
  }
}

const foreignStart = 'it does not begin at the entry of this file in the index: it belongs to another one';

function describeUnsealed({ member }: UnsealedLine): string {
  return member === undefined ? 'it is half a line' : `it is a part of a write, from record ${member.seq} on`;
}
