import { createHash, createHmac } from 'node:crypto';
import canonicalize from 'canonicalize';
import { isPlainObject, type JsonValue } from '../../kernel/index.ts';

/** What a record says, before it becomes a link of the chain. */
export type RecordBody = Readonly<Record<string, JsonValue>>;

export interface ChainEnd {
  /** 1 for the first record. */
  readonly seq: number;
  /** SHA-256, or HMAC-SHA-256 with a key; hex. */
  readonly hash: string;
}

/** What the first record has before it. */
export const chainStart: ChainEnd = { seq: 0, hash: '0'.repeat(64) };

/** A line that is a link: it is written as it should be, and its hash matches what it says. */
export interface ChainRecord extends ChainEnd {
  readonly previous: string;
  readonly time: string;
  readonly body: RecordBody;
}

/** `claims` is what a line says about its place although it does not verify. */
export type Reading =
  | { readonly type: 'record'; readonly record: ChainRecord }
  | { readonly type: 'broken'; readonly problem: string; readonly isJson: boolean; readonly claims?: ChainEnd };

const hashPattern = /^[0-9a-f]{64}$/;
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * The hash chain: the hash of a record is taken over its canonical JSON (RFC 8785) without `hash`, which contains the hash of the record
 * before it as `previous`.
 */
export class Chain {
  readonly #key: string | undefined;

  constructor(key?: string) {
    this.#key = key;
  }

  /** The line of the next record, without its line end. */
  seal(body: RecordBody, end: ChainEnd): { readonly line: string; readonly end: ChainEnd } {
    const record = { ...body, seq: end.seq + 1, previous: end.hash };
    const hash = this.#hash(canonicalJson(record));
    return { line: canonicalJson({ ...record, hash }), end: { seq: record.seq, hash } };
  }

  /** Reads one line. The bytes must be exactly those that `seal` gives, so that no edit is without effect. */
  read(bytes: Buffer): Reading {
    const value = parsed(bytes);
    if (value === undefined) return { type: 'broken', problem: 'it is not JSON', isJson: false };
    const record = recordOf(value);
    if (record === undefined) return { type: 'broken', problem: 'it is JSON, but no record of an audit trail', isJson: true };
    if (this.#verifies(bytes, record)) return { type: 'record', record };
    const other = this.#key === undefined ? 'the trail has a key' : 'it was written with another key or none';
    const problem = `its hash does not match what it says: it was changed, or ${other}`;
    return { type: 'broken', problem, isJson: true, claims: record };
  }

  #verifies(bytes: Buffer, { body, hash }: ChainRecord): boolean {
    try {
      return bytes.equals(Buffer.from(canonicalJson({ ...body, hash }))) && this.#hash(canonicalJson(body)) === hash;
    } catch {
      // Nested too deep, or text that canonical JSON cannot hold.
      return false;
    }
  }

  #hash(text: string): string {
    const hash = this.#key === undefined ? createHash('sha256') : createHmac('sha256', this.#key);
    return hash.update(text).digest('hex');
  }
}

function canonicalJson(value: RecordBody): string {
  return canonicalize(value) ?? '';
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function recordOf(value: unknown): ChainRecord | undefined {
  if (!isPlainObject(value)) return undefined;
  const { hash, ...body } = value as Record<string, JsonValue>;
  const { seq, previous, time } = body;
  const isPlaced = typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0;
  const isLinked = [hash, previous].every((text) => typeof text === 'string' && hashPattern.test(text));
  if (!isPlaced || !isLinked || typeof time !== 'string' || !timePattern.test(time)) return undefined;
  return { seq, hash: hash as string, previous: previous as string, time, body };
}
