import { BegunCalls } from './begun-calls.ts';
import { Chain, type ChainEnd, type ChainRecord, chainStart } from './chain.ts';
import type { HeadCheck } from './head-check.ts';
import type { Line } from './lines.ts';
import { TornLines } from './torn-lines.ts';
import type { Finding, VerifyReport } from './verify-report.ts';

export interface VerifyOptions {
  /** The key of a trail that has one. */
  readonly key?: string;
  /** A head that was noted earlier: the trail must still have that record. */
  readonly head?: string;
}

/** Findings kept; more are counted. */
const maxFindings = 100;

/** Follows the chain line by line, over all files, and goes on after what is wrong. */
export class ChainCheck {
  readonly #chain: Chain;
  readonly #head: string | undefined;
  readonly #kept: HeadCheck | undefined;
  readonly #files: string[] = [];
  readonly #problems: Finding[] = [];
  readonly #notes: Finding[] = [];
  #problemCount = 0;
  #line = 0;
  #records = 0;
  /** `isSure`: nothing wrong stands before it. */
  #first: (ChainRecord & { readonly file: string; readonly isSure: boolean }) | undefined;
  #last: ChainRecord | undefined;
  /** Where the next record should join. */
  #end: ChainEnd = chainStart;
  #isAfterBroken = false;
  #torn = new TornLines();
  #beginsAt = 1;
  #isHeadSeen = false;
  readonly #begun = new BegunCalls();

  constructor({ key, head }: VerifyOptions, kept?: HeadCheck) {
    this.#chain = new Chain(key);
    this.#head = head;
    this.#kept = kept;
  }

  beginFile(file: string): void {
    this.#giveUpTorn();
    this.#files.push(file);
  }

  line({ number, bytes, isEnded }: Line): void {
    this.#line = number;
    const at = (message: string): Finding => ({ file: this.#files.at(-1) ?? '', line: number, message });
    const reading = bytes === undefined ? undefined : this.#chain.read(bytes);
    if (bytes === undefined || reading === undefined) this.#broken(at('it is longer than any record'));
    else if (reading.type === 'record') {
      this.#record(reading.record, at);
      if (!isEnded) this.#report(at('its line end is missing'));
    } else if (reading.isJson) {
      this.#broken(at(reading.problem));
      if (reading.claims?.seq === this.#end.seq + 1) this.#moveTo(reading.claims);
    } else if (isEnded) this.#torn.add(bytes, at(reading.problem));
    else this.#half(number, at);
  }

  report(): VerifyReport {
    this.#giveUpTorn();
    const first = this.#first;
    if (first?.isSure === true && first.seq > this.#beginsAt)
      this.#report({
        file: first.file,
        line: 1,
        message: `${missing(this.#beginsAt, first.seq - 1)} before it: the files begin with record ${first.seq}`,
      });
    const atEnd = (message: string): Finding => ({ file: this.#files.at(-1) ?? '', line: this.#line, message });
    if (this.#head !== undefined && !this.#isHeadSeen)
      this.#report(atEnd('no record has the hash that --head gives: records were cut off or replaced, or it is the head of another trail'));
    // Without the key of the trail nothing verifies.
    const { problem, note } = (this.#records === 0 && this.#problemCount > 0 ? undefined : this.#kept) ?? {};
    if (problem !== undefined) this.#report(atEnd(problem));
    if (note !== undefined) this.#note(atEnd(note));
    const last = this.#last;
    const { unfinished } = this.#begun;
    return {
      files: this.#files,
      records: this.#records,
      ...(first === undefined ? {} : { first: { seq: first.seq, time: first.time } }),
      ...(last === undefined ? {} : { last: { seq: last.seq, time: last.time }, head: last.hash }),
      problems: this.#problems,
      problemCount: this.#problemCount,
      notes: this.#notes,
      unfinished: unfinished.slice(0, maxFindings),
      unfinishedCount: unfinished.length,
    };
  }

  #record(record: ChainRecord, at: (message: string) => Finding): void {
    const joins = record.previous === this.#end.hash && record.seq === this.#end.seq + 1;
    this.#settleTorn(record, at);
    const isFirst = this.#first === undefined;
    if (!joins && !(isFirst && record.seq > 1)) this.#misplaced(record, at);
    if (isFirst) this.#first = { ...record, file: this.#files.at(-1) ?? '', isSure: this.#problemCount === 0 };
    this.#records++;
    this.#isHeadSeen ||= record.hash === this.#head;
    this.#kept?.see(record.hash);
    if (record.seq <= this.#end.seq) return;
    this.#last = record;
    this.#moveTo(record);
    this.#take(record, at);
    this.#begun.take(record, { file: this.#files.at(-1) ?? '', line: this.#line });
  }

  #moveTo({ seq, hash }: ChainEnd): void {
    this.#end = { seq, hash };
    this.#isAfterBroken = false;
  }

  #misplaced({ seq, hash }: ChainRecord, at: (message: string) => Finding): void {
    const { seq: before, hash: hashBefore } = this.#end;
    // The broken lines before it are reported already.
    if (seq > before && this.#isAfterBroken) return;
    if (seq > before + 1) this.#report(at(`${missing(before + 1, seq - 1)} before it`));
    else if (before === 0) this.#report(at('it is not the beginning of a trail'));
    else if (seq === before + 1) this.#report(at(`it does not continue record ${before}: one of the two was replaced`));
    else if (hash === hashBefore) this.#report(at(`it is a copy of record ${before}`));
    else this.#report(at(`record ${seq} is out of place: it stands behind record ${before}`));
  }

  /** What records of the trail itself say. */
  #take({ seq, body }: ChainRecord, at: (message: string) => Finding): void {
    const { event, cause, begins_at: beginsAt, count } = body;
    if (event === 'continued' && typeof beginsAt === 'number') this.#beginsAt = Math.max(this.#beginsAt, beginsAt);
    if (event === 'continued' && cause === 'cut')
      this.#note(at(`record ${seq} says that the end before it was missing when a process started`));
    else if (event === 'continued' && cause !== 'rotated' && typeof cause === 'string')
      this.#note(at(`record ${seq} says that the file before it was ${/^[a-z]{1,20}$/.test(cause) ? cause : 'lost'} by another program`));
    if (event === 'lost' && typeof count === 'number') this.#note(at(`record ${seq} says that ${count} records could not be kept`));
  }

  #half(number: number, at: (message: string) => Finding): void {
    this.#giveUpTorn();
    const verified = this.#problemCount === 0 ? `; the file verifies up to line ${number - 1}` : '';
    this.#report(at(`it is half a line, as a crash leaves it, or a record that is being written${verified}`));
  }

  #settleTorn({ seq, body }: ChainRecord, at: (message: string) => Finding): void {
    if (body['event'] === 'recovered') {
      const [half] = this.#torn.findings;
      if (half !== undefined && this.#torn.isAccountedForBy(body)) {
        this.#note({ ...half, message: `it is half a line, as a crash leaves it; record ${seq} says so` });
        this.#torn = new TornLines();
      } else this.#report(at('the half line before it is not the one that it speaks of'));
    }
    this.#giveUpTorn();
  }

  /** Nobody accounts for these lines. */
  #giveUpTorn(): void {
    const { findings } = this.#torn;
    this.#torn = new TornLines();
    for (const finding of findings) this.#broken(finding);
  }

  #broken(finding: Finding): void {
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

function missing(from: number, to: number): string {
  return from === to ? `record ${from} is missing` : `records ${from} to ${to} are missing`;
}
