import { defineFact, type FactKind, type JsonObject } from '../../../kernel/index.ts';

/** Part of a trail's records of ended calls. */
export interface CallTrailPage {
  /** Records as the trail has them, newest first. Secrets are masked. */
  readonly records: readonly JsonObject[];
  /** Cursor of the next page. Absent on the last one. A page may have fewer records than its limit, and a next one. */
  readonly next?: string;
  /** Number of lines that were read and are no valid record: they are left out. */
  readonly broken: number;
}

export interface CallTrailQuery {
  /** Maximum number of records. */
  readonly limit: number;
  /** Cursor of an earlier page. @default the newest record */
  readonly after?: string;
  /** Name of a tool, whose calls are read. @default all tools */
  readonly tool?: string;
}

/** A trail that has the end of each call, of every process that writes it. */
export interface CallTrail {
  /** Reads a page. Rejects with INVALID_PARAMETERS for a cursor that is none, and with STATE_UNAVAILABLE when the files cannot be read. */
  read(query: CallTrailQuery): Promise<CallTrailPage>;
  /** Finds the record of a call that has ended. Undefined without one, or when only a very old file has it. */
  find(callId: string): Promise<JsonObject | undefined>;
}

/** The trail in which the ends of calls are recorded. */
export const callTrail: FactKind<CallTrail> = defineFact('trail of calls');
