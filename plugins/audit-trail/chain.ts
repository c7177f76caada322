import { createHmac, hash as hashOnce } from 'node:crypto';
import { isPlainObject, type JsonValue } from '../../kernel/index.ts';

/** Members of a record. Undefined members are left out. */
export type RecordBody = Readonly<Record<string, JsonValue | undefined>>;

/**
 * A record as canonical JSON (RFC 8785), whose members are sorted by name. The text is split where `hash`, `previous` and `seq` are inserted.
 * Members of the first three parts have a trailing comma, members of the last part a leading one.
 */
export interface RecordText {
  readonly beforeHash: string;
  readonly beforePrevious: string;
  readonly beforeSeq: string;
  readonly afterSeq: string;
}

export interface ChainEnd {
  /** 1 for the first record. */
  readonly seq: number;
  /** SHA-256, or HMAC-SHA-256 with a key; hex. */
  readonly hash: string;
}

/** The chain end before the first record. */
export const chainStart: ChainEnd = { seq: 0, hash: '0'.repeat(64) };

/** A line that is a link: it has canonical form, and its hash matches its content. */
export interface ChainRecord extends ChainEnd {
  readonly previous: string;
  readonly time: string;
  readonly body: RecordBody;
}

/** A line of a batch. The batch line after it has its digest, and so its position in the chain. */
export interface BatchMember {
  readonly seq: number;
  readonly time: string;
  readonly body: RecordBody;
  /** SHA-256 of the line, base64url. */
  readonly digest: string;
}

/** The line after the records of a batch: one link for all of them. Its `seq` is that of the last record. */
export interface BatchLine extends ChainEnd {
  readonly previous: string;
  /** Digests of the lines before it, in order. */
  readonly digests: readonly string[];
}

/** The result of reading one line. `claims`: the position that a line names although it does not verify. */
export type LineReading =
  | { readonly type: 'record'; readonly record: ChainRecord }
  | { readonly type: 'member'; readonly member: BatchMember }
  | { readonly type: 'batch'; readonly batch: BatchLine }
  | { readonly type: 'broken'; readonly problem: string; readonly isJson: boolean; readonly claims?: ChainEnd };

const hashPattern = /^[0-9a-f]{64}$/;
const digestPattern = /^[\w-]{43}$/;
/** Maximum number of records in a batch. */
export const maxBatchRecords = 256;

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * The hash chain. The hash of a record is taken over its canonical JSON (RFC 8785) without `hash`, with the previous record's hash as
 * `previous`. Records that are written together form a batch: they have neither member. The batch line after them is the link, with the
 * SHA-256 of each of their lines.
 */
export class Chain {
  readonly #key: string | undefined;

  constructor(key?: string) {
    this.#key = key;
  }

  /** Returns the line of the next record, without its line end. */
  seal(
    { beforeHash, beforePrevious, beforeSeq, afterSeq: behindSeq }: RecordText,
    end: ChainEnd,
  ): { readonly line: string; readonly end: ChainEnd } {
    const seq = end.seq + 1;
    // In two parts, with the hash between them: the hashed text need not be built twice.
    const afterHash = `${beforePrevious}"previous":"${end.hash}",${beforeSeq}"seq":${seq}${behindSeq}}`;
    const hash = this.#hash(`{${beforeHash}${afterHash}`);
    return { line: `{${beforeHash}"hash":"${hash}",${afterHash}`, end: { seq, hash } };
  }

  /** Returns the line after the records of a batch, without its line end. */
  sealBatch(digests: readonly string[], end: ChainEnd): { readonly line: string; readonly end: ChainEnd } {
    const before = `{"batch":["${digests.join('","')}"],`;
    const seq = end.seq + digests.length;
    const afterHash = `"previous":"${end.hash}","seq":${seq}}`;
    const hash = this.#hash(before + afterHash);
    return { line: `${before}"hash":"${hash}",${afterHash}`, end: { seq, hash } };
  }

  /** Returns the content of the head file for the last record. Without the key, it cannot be forged for another record. */
  sealHead({ seq, hash }: ChainEnd): string {
    return JSON.stringify({ seq, hash, mac: this.#hash(canonicalJson({ seq, head: hash })) });
  }

  /** Parses the content of a head file. Undefined when `sealHead` did not write it. */
  readHead(text: string): ChainEnd | undefined {
    const value = parseJson(Buffer.from(text));
    if (!isPlainObject(value)) return undefined;
    const { seq, hash } = value as { readonly seq?: number; readonly hash?: string };
    const isPlaced = Number.isSafeInteger(seq) && hashPattern.test(String(hash));
    const end = { seq: Number(seq), hash: String(hash) };
    return isPlaced && text.trimEnd() === this.sealHead(end) ? end : undefined;
  }

  /** Reads one line. Its bytes must equal the output of `seal`, so that every edit is noticed. */
  read(bytes: Buffer): LineReading {
    const value = parseJson(bytes);
    if (value === undefined) return { type: 'broken', problem: 'it is not JSON', isJson: false };
    const member = toBatchMember(value, bytes);
    if (member !== undefined) return { type: 'member', member };
    const batch = toBatchLine(value);
    if (batch !== undefined) return this.#readBatch(batch, bytes);
    const record = toChainRecord(value);
    if (record === undefined) return { type: 'broken', problem: 'it is JSON, but no record of an audit trail', isJson: true };
    if (this.#verifies(bytes, record)) return { type: 'record', record };
    return this.#changedReading(record);
  }

  #readBatch(batch: BatchLine, bytes: Buffer): LineReading {
    const { digests, previous, seq, hash } = batch;
    const body = { batch: digests, previous, seq };
    return this.#verifies(bytes, { body, hash }) ? { type: 'batch', batch } : this.#changedReading(batch);
  }

  #changedReading({ seq, hash }: ChainEnd): LineReading {
    const other = this.#key === undefined ? 'the trail has a key' : 'it was written with another key or none';
    const problem = `its hash does not match what it says: it was changed, or ${other}`;
    return { type: 'broken', problem, isJson: true, claims: { seq, hash } };
  }

  #verifies(bytes: Buffer, { body, hash }: { readonly body: RecordBody; readonly hash: string }): boolean {
    try {
      return bytes.equals(Buffer.from(canonicalJson({ ...body, hash }))) && this.#hash(canonicalJson(body)) === hash;
    } catch {
      // Nested too deep, or text that canonical JSON cannot represent.
      return false;
    }
  }

  #hash(text: string): string {
    return this.#key === undefined ? hashOnce('sha256', text, 'hex') : createHmac('sha256', this.#key).update(text).digest('hex');
  }
}

/** Returns the line of a record in a batch, without its line end. */
export function memberLine({ beforeHash, beforePrevious, beforeSeq, afterSeq: behindSeq }: RecordText, seq: number): string {
  return `{${beforeHash}${beforePrevious}${beforeSeq}"seq":${seq}${behindSeq}}`;
}

/** Returns the SHA-256 of a line without its line end, base64url. */
export function digestOf(line: Uint8Array): string {
  return hashOnce('sha256', line, 'base64url');
}

/** Returns the parts of a record with these members. */
export function recordText(body: RecordBody): RecordText {
  const parts = { beforeHash: '', beforePrevious: '', beforeSeq: '', afterSeq: '' };
  for (const key of Object.keys(body).sort()) {
    const value = body[key];
    if (value === undefined) continue;
    const member = `"${key}":${canonicalJson(value)}`;
    if (key < 'hash') parts.beforeHash += `${member},`;
    else if (key < 'previous') parts.beforePrevious += `${member},`;
    else if (key < 'seq') parts.beforeSeq += `${member},`;
    else parts.afterSeq += `,${member}`;
  }
  return parts;
}

/** Serializes by RFC 8785: members sorted by UTF-16 code units, everything else as JSON.stringify writes it. */
export function canonicalJson(value: JsonValue | RecordBody): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  const object = value as RecordBody;
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  const members = keys.sort().map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key] ?? null)}`);
  return `{${members.join()}}`;
}

function parseJson(bytes: Buffer): unknown {
  try {
    // Own text: a record of the trail.
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function toBatchMember(value: unknown, bytes: Buffer): BatchMember | undefined {
  if (!isPlainObject(value) || 'hash' in value || 'previous' in value) return undefined;
  const body = value as Record<string, JsonValue>;
  const { seq, time } = body;
  if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq <= 0 || typeof time !== 'string' || !timePattern.test(time))
    return undefined;
  return { seq, time, body, digest: digestOf(bytes) };
}

function toBatchLine(value: unknown): BatchLine | undefined {
  if (!isPlainObject(value)) return undefined;
  const { batch, hash, previous, seq, ...more } = value as Record<string, JsonValue>;
  const isLinked = [hash, previous].every((text) => typeof text === 'string' && hashPattern.test(text));
  if (!isLinked || Object.keys(more).length > 0 || !Array.isArray(batch) || batch.length === 0 || batch.length > maxBatchRecords)
    return undefined;
  const isWhole = batch.every((digest) => typeof digest === 'string' && digestPattern.test(digest));
  if (!isWhole || typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < batch.length) return undefined;
  return { seq, hash: hash as string, previous: previous as string, digests: batch as string[] };
}

function toChainRecord(value: unknown): ChainRecord | undefined {
  if (!isPlainObject(value)) return undefined;
  const { hash, ...body } = value as Record<string, JsonValue>;
  const { seq, previous, time } = body;
  const isPlaced = typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0;
  const isLinked = [hash, previous].every((text) => typeof text === 'string' && hashPattern.test(text));
  if (!isPlaced || !isLinked || typeof time !== 'string' || !timePattern.test(time)) return undefined;
  return { seq, hash: hash as string, previous: previous as string, time, body };
}
