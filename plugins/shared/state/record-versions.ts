/** A record as parsed JSON. Its `version` is a number from 1 on; a record without one is of version 1. */
type StoredRecord = Readonly<Record<string, unknown>>;

/** Steps between versions of a record: the step at index 0 turns version 1 into version 2. */
export type RecordSteps = readonly ((record: StoredRecord) => StoredRecord)[];

/**
 * Steps by kind of record. A change of a form adds a step here, a store that the program before it wrote to `fixtures/stores`, and a version to
 * the tables of both stores, so that earlier programs refuse the store. Records that live for less than an hour are not here: a store of
 * another version has none.
 */
export const recordSteps = {
  /** Durable calls: `call/` of engines. */
  call: [],
  /** Effects of named calls: `intent/` of calls-once. */
  intent: [],
  /** First requests and settings of sessions: `opening` and `kept/` of MCP. */
  'session request': [],
} as const satisfies Readonly<Record<string, RecordSteps>>;

export type RecordKind = keyof typeof recordSteps;

/** A record that a later version of this program wrote. It is not touched. */
export interface LaterRecord {
  readonly laterVersion: number;
}

/** Returns the version that this program writes. */
export function recordVersion(steps: RecordSteps): number {
  return steps.length + 1;
}

/** Parses a stored record, and brings it to the version of this program. `steps`: of its kind. */
export function parseStored<T extends object>(text: string, steps: RecordSteps): T | LaterRecord {
  // Own text: a record of the store.
  let record = JSON.parse(text) as StoredRecord;
  const { version = 1 } = record;
  if (typeof version !== 'number' || version > recordVersion(steps)) return { laterVersion: Number(version) };
  for (const [index, step] of steps.slice(version - 1).entries()) record = { ...step(record), version: version + index + 1 };
  return record as T;
}

/** Converts a record to its stored text, with the version of this program. */
export function toStored(record: object, steps: RecordSteps): string {
  return JSON.stringify(steps.length === 0 ? record : { ...record, version: recordVersion(steps) });
}

export function isLater(record: object): record is LaterRecord {
  return Object.hasOwn(record, 'laterVersion');
}
