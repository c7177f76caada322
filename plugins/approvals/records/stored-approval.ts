import type { ApprovalRecord, CallOrigin, JsonObject, TraceContext } from '../../../kernel/index.ts';

/** The stored form of a record: what people see, and what the run needs. */
export interface StoredApproval extends ApprovalRecord {
  readonly version: 1;
  /** Name of the call among those of its caller: equal calls have the same. */
  readonly callHash: string;
  /** The digests behind `digest` by name, so that a change can be named. */
  readonly parts: Readonly<Record<string, string>>;
  /** The parameters with their secrets, to run the call later. Absent when they are not kept. */
  readonly parameters?: JsonObject;
  /** The parameters as the caller gave them, where they are others: without defaults, and before plugins changed them. */
  readonly given?: JsonObject;
  readonly origin: CallOrigin;
  /** Where the first call was in its trace, which the durable run continues. */
  readonly trace?: TraceContext;
  /** False when only the process that asks can run it. */
  readonly isRunAnywhere: boolean;
  /** Members of the store that wait for the decision. */
  readonly waiting: readonly string[];
}

/** Returns the record that people see. */
export function toApprovalRecord({
  version: _version,
  callHash: _callHash,
  parts: _parts,
  parameters: _parameters,
  given: _given,
  origin: _origin,
  trace: _trace,
  isRunAnywhere: _isRunAnywhere,
  waiting: _waiting,
  ...record
}: StoredApproval): ApprovalRecord {
  return record;
}

/**
 * True for a record whose end the caller may not know: the next equal call is told of a no, or gets the result of the durable call. Until then the entry
 * of the caller names the record.
 */
export function isUntold({ status, once, runsAs }: Pick<StoredApproval, 'status' | 'once' | 'runsAs'>): boolean {
  if (status === 'used') return runsAs !== undefined;
  return once === undefined && (status === 'refused' || status === 'expired');
}

/** True while an equal call joins the record in place of a new question. */
export function isOpen({ status, expiresAt }: Pick<StoredApproval, 'status' | 'expiresAt'>, now: number): boolean {
  return (status === 'waiting' || status === 'approved') && expiresAt > now;
}
