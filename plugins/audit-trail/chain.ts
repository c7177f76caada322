import { createHmac, hash as hashOnce } from 'node:crypto';
import { isPlainObject, type JsonValue } from '../../kernel/index.ts';

/** What a record says. What is undefined is left out. */
export type RecordBody = Readonly<Record<string, JsonValue | undefined>>;

/**
 * What a record says as canonical JSON (RFC 8785), which has the members in the order of their names: cut where `hash`, `previous` and `seq`
 * have their places. In the first three parts each member has a comma behind it, in the last one before it.
 */
export interface RecordText {
  readonly beforeHash: string;
  readonly beforePrevious: string;
  readonly beforeSeq: string;
  readonly behindSeq: string;
}

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
  seal({ beforeHash, beforePrevious, beforeSeq, behindSeq }: RecordText, end: ChainEnd): { readonly line: string; readonly end: ChainEnd } {
    const seq = end.seq + 1;
    // In two parts, between which the hash has its place: so what it is taken over need not be written twice.
    const behind = `${beforePrevious}"previous":"${end.hash}",${beforeSeq}"seq":${seq}${behindSeq}}`;
    const hash = this.#hash(`{${beforeHash}${behind}`);
    return { line: `{${beforeHash}"hash":"${hash}",${behind}`, end: { seq, hash } };
  }

  /** What is kept beside the trail of its last record: whoever lacks the key cannot write it for another one. */
  sealHead({ seq, hash }: ChainEnd): string {
    return JSON.stringify({ seq, hash, mac: this.#hash(canonicalJson({ seq, head: hash })) });
  }

  /** Undefined when `sealHead` did not write it. */
  readHead(text: string): ChainEnd | undefined {
    const value = parsed(Buffer.from(text));
    if (!isPlainObject(value)) return undefined;
    const { seq, hash } = value as { readonly seq?: number; readonly hash?: string };
    const isPlaced = Number.isSafeInteger(seq) && hashPattern.test(String(hash));
    const end = { seq: Number(seq), hash: String(hash) };
    return isPlaced && text.trimEnd() === this.sealHead(end) ? end : undefined;
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
    return this.#key === undefined ? hashOnce('sha256', text, 'hex') : createHmac('sha256', this.#key).update(text).digest('hex');
  }
}

/** Of a record that says this. */
export function recordText(body: RecordBody): RecordText {
  const parts = { beforeHash: '', beforePrevious: '', beforeSeq: '', behindSeq: '' };
  for (const key of Object.keys(body).sort()) {
    const value = body[key];
    if (value === undefined) continue;
    const member = `"${key}":${canonicalJson(value)}`;
    if (key < 'hash') parts.beforeHash += `${member},`;
    else if (key < 'previous') parts.beforePrevious += `${member},`;
    else if (key < 'seq') parts.beforeSeq += `${member},`;
    else parts.behindSeq += `,${member}`;
  }
  return parts;
}

/** RFC 8785: members in the order of their UTF-16 code units, everything else as JSON.stringify writes it. */
export function canonicalJson(value: JsonValue | RecordBody): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  const object = value as RecordBody;
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  const members = keys.sort().map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key] ?? null)}`);
  return `{${members.join()}}`;
}

function parsed(bytes: Buffer): unknown {
  try {
    // Own text: a record of the trail.
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
