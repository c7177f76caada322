import type { Call, CallEnd, JsonValue } from '../../kernel/index.ts';
import type { OrderedRecord } from './chain.ts';
import { Cuts, Shortener } from './shortener.ts';

export interface RecordOptions {
  /** What is said of the parameters: their values (secrets masked), their names, or nothing. */
  readonly parameters: 'masked' | 'names' | 'none';
  /** sha256 of the definition, hex; absent without a tool. */
  readonly definitionHash?: string;
  readonly time: Date;
  /** Masks every secret that is known. Of a call's end only the parameters are masked already. */
  readonly mask: <T>(value: T) => T;
}

export interface CallRecordOptions extends RecordOptions {
  /** False when the call ended before anything executed it. */
  readonly executed: boolean;
}

/** A line is never longer, in bytes. */
export const maxRecordBytes = 16 * 1024;

/** Shares of `maxRecordBytes`, in bytes; what is left is for hashes, times and the names of the members. */
const shares = { name: 400, verdict: 2500, approvals: 2500, parameters: 7000, cuts: 1200 };

/** The record of one call. Whatever the caller wrote, it is bounded and can be written. */
export function callRecord(end: CallEnd, options: CallRecordOptions): OrderedRecord {
  const cuts = new Cuts(shares.cuts);
  const shorten = (maxBytes: number, value: unknown, pointer: string) => new Shortener(maxBytes, cuts).value(value, pointer) ?? null;
  const name = (text: string, pointer: string): string => new Shortener(shares.name, cuts).text(options.mask(text), pointer);
  const { tool } = end;
  const parameters = shownParameters(end.parameters, options, cuts);
  const { effect, reasons } = end.verdict;
  const masked = <T>(items: readonly T[]): readonly T[] => (items.length === 0 ? [] : options.mask(items));
  const verdict = { effect, reasons: masked(reasons.map(({ kind, message }) => ({ kind, message }))) };
  const approvals = masked(end.approvals.map(({ kind, approved, by, reason }) => ({ kind, approved, by, reason })));
  const beforeHash = {
    approvals: approvals.length === 0 ? [] : shorten(shares.approvals, approvals, '/approvals'),
    call_id: end.id,
    caller: name(end.caller, '/caller'),
    cut: undefined as readonly string[] | undefined,
    definition_hash: options.definitionHash,
    duration_ms: Math.round(end.durationMs * 1000) / 1000,
    executed: options.executed,
  };
  const behindHash = {
    origin: end.origin,
    outcome: end.outcome.type === 'completed' ? 'completed' : end.outcome.error.code,
    parameters: parameters.value,
    previous: undefined,
    provider: tool?.provider === undefined ? undefined : name(tool.provider.name, '/provider'),
    risk: tool?.risk,
    seq: undefined,
    status: statusOf(end),
    time: options.time.toISOString(),
    tool: name(end.toolName, '/tool'),
    verdict: reasons.length === 0 ? { effect, reasons: [] } : shorten(shares.verdict, verdict, '/verdict'),
  };
  if (cuts.entries.length > 0) beforeHash.cut = cuts.entries;
  return { beforeHash, behindHash, hasNumberNames: parameters.hasNumberNames };
}

/** The record of a call that is about to run, for the case that its process does not live to write the other one. */
export function intentRecord(call: Call, options: RecordOptions): OrderedRecord {
  const cuts = new Cuts(shares.cuts);
  const name = (text: string, pointer: string): string => new Shortener(shares.name, cuts).text(options.mask(text), pointer);
  const { tool } = call;
  const parameters = shownParameters(options.mask(call.parameters), options, cuts);
  const beforeHash = {
    call_id: call.id,
    caller: name(call.caller, '/caller'),
    cut: undefined as readonly string[] | undefined,
    definition_hash: options.definitionHash,
    event: 'intent',
  };
  const behindHash = {
    origin: call.origin,
    parameters: parameters.value,
    previous: undefined,
    provider: tool.provider === undefined ? undefined : name(tool.provider.name, '/provider'),
    risk: tool.risk,
    seq: undefined,
    time: options.time.toISOString(),
    tool: name(tool.name, '/tool'),
  };
  if (cuts.entries.length > 0) beforeHash.cut = cuts.entries;
  return { beforeHash, behindHash, hasNumberNames: parameters.hasNumberNames };
}

/** `parameters` as the options want them shown. */
function shownParameters(
  parameters: Readonly<Record<string, unknown>>,
  { parameters: shown }: RecordOptions,
  cuts: Cuts,
): { readonly value: JsonValue | undefined; readonly hasNumberNames: boolean } {
  if (shown === 'none') return { value: undefined, hasNumberNames: false };
  const shortener = new Shortener(shares.parameters, cuts);
  const value = shortener.value(shown === 'names' ? Object.keys(parameters) : parameters, '/parameters') ?? null;
  return { value, hasNumberNames: shortener.hasNumberNames };
}

/** The HTTP status, when the call got one. */
function statusOf({ outcome }: CallEnd): number | undefined {
  const status = outcome.type === 'completed' ? outcome.result.meta['status'] : outcome.error.details.status;
  return typeof status === 'number' && Number.isInteger(status) ? status : undefined;
}
