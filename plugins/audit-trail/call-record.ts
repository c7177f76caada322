import type { Call, CallEnd, Refusal } from '../../kernel/index.ts';
import { canonicalJson, type RecordText, recordText } from './chain.ts';
import { Cuts, isPlainText, Shortener } from './shortener.ts';

/** The record of a call, and what the log says of it where it cannot be written. */
export interface CallRecord extends RecordText {
  readonly facts: {
    readonly callId: string;
    readonly tool: string;
    readonly caller: string;
    readonly outcome: string | undefined;
    readonly time: string;
  };
}

export interface RecordOptions {
  /** What is said of the parameters: their values (secrets masked), their names, or nothing. */
  readonly parameters: 'masked' | 'names' | 'none';
  /** sha256 of the definition, hex; absent without a tool. */
  readonly definitionHash?: string;
  /** RFC 3339, with milliseconds. */
  readonly time: string;
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
export function callRecord(end: CallEnd, options: CallRecordOptions): CallRecord {
  const cuts = new Cuts(shares.cuts);
  const { id, caller, toolName, origin, outcome } = end;
  const { executed } = options;
  const code = outcome.type === 'completed' ? 'completed' : outcome.error.code;
  const shown = shownParts({ id, caller, tool: toolName, parameters: end.parameters, provider: end.tool?.provider?.name }, options, cuts);
  const approvals = approvalsOf(end, options, cuts);
  const verdict = verdictOf(end, options, cuts);
  const durationMs = Math.round(end.durationMs * 1000) / 1000;
  const status = statusOf(end);
  return {
    beforeHash: `"approvals":${approvals},${shown.call(cuts)}"duration_ms":${durationMs},"executed":${executed},`,
    beforePrevious: `"origin":"${origin}","outcome":"${code}",${shown.parameters}`,
    beforeSeq: `${shown.provider}${end.tool === undefined ? '' : `"risk":"${end.tool.risk}",`}`,
    behindSeq: `${status === undefined ? '' : `,"status":${status}`}${shown.place},"verdict":${verdict}`,
    facts: { ...shown.facts, outcome: code },
  };
}

/** The record of a call that is about to run, for the case that its process does not live to write the other one. */
export function intentRecord({ id, caller, tool, parameters, origin }: Call, options: RecordOptions): CallRecord {
  const cuts = new Cuts(shares.cuts);
  const masked = options.mask(parameters);
  const shown = shownParts({ id, caller, tool: tool.name, parameters: masked, provider: tool.provider?.name }, options, cuts);
  return {
    beforeHash: `${shown.call(cuts)}"event":"intent",`,
    beforePrevious: `"origin":"${origin}",${shown.parameters}`,
    beforeSeq: `${shown.provider}"risk":"${tool.risk}",`,
    behindSeq: shown.place,
    facts: { ...shown.facts, outcome: undefined },
  };
}

/** The record of what was refused before it was a call. Its secrets are masked. */
export function refusalRecord({ reason, status, address, caller, count }: Refusal, time: string): CallRecord {
  const cuts = new Cuts(shares.cuts);
  const named = caller === undefined ? undefined : nameOf(caller, '/caller', cuts);
  const shown = nameOf(address, '/address', cuts);
  const body = { event: 'refused', time, reason: nameOf(reason, '/reason', cuts), status, address: shown, caller: named, count };
  return { ...recordText(body), facts: { callId: '', tool: '', caller: named ?? '', outcome: reason, time } };
}

interface ShownCall {
  readonly id: string;
  readonly caller: string;
  readonly tool: string;
  readonly provider: string | undefined;
  /** Masked. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What both records of a call have, as canonical JSON. */
function shownParts({ id, caller, tool, provider, parameters }: ShownCall, options: RecordOptions, cuts: Cuts) {
  const { time, definitionHash, mask } = options;
  const shownCaller = nameOf(mask(caller), '/caller', cuts);
  const shownParameters = parametersOf(parameters, options, cuts);
  const shownProvider = provider === undefined ? undefined : nameOf(mask(provider), '/provider', cuts);
  const shownTool = nameOf(mask(tool), '/tool', cuts);
  const hash = definitionHash === undefined ? '' : `"definition_hash":"${definitionHash}",`;
  return {
    /** When all is known that was cut. */
    call: ({ entries }: Cuts): string =>
      `"call_id":"${id}","caller":${JSON.stringify(shownCaller)},${entries.length === 0 ? '' : `"cut":${JSON.stringify(entries)},`}${hash}`,
    parameters: shownParameters === undefined ? '' : `"parameters":${shownParameters},`,
    provider: shownProvider === undefined ? '' : `"provider":${JSON.stringify(shownProvider)},`,
    place: `,"time":"${time}","tool":${JSON.stringify(shownTool)}`,
    facts: { callId: id, tool: shownTool, caller: shownCaller, time },
  };
}

function nameOf(text: string, pointer: string, cuts: Cuts): string {
  const isShort = text.length < shares.name / 2 && isPlainText(text);
  return isShort ? text : new Shortener(shares.name, cuts).text(text, pointer);
}

/** `parameters` as the options want them shown. */
function parametersOf(parameters: Readonly<Record<string, unknown>>, { parameters: shown }: RecordOptions, cuts: Cuts): string | undefined {
  if (shown === 'none') return undefined;
  const names = Object.keys(parameters);
  if (shown === 'masked' && names.every((name) => isShort(name, parameters[name]))) {
    const text = `{${names.sort().map((name) => `${JSON.stringify(name)}:${JSON.stringify(parameters[name])}`)}}`;
    // Whatever the characters, it has room.
    if (text.length < shares.parameters / 4) return text;
  }
  const value = shown === 'names' ? names : parameters;
  return canonicalJson(new Shortener(shares.parameters, cuts).value(value, '/parameters') ?? null);
}

/** Most parameters are texts and numbers, of which nothing has to be cut. */
function isShort(name: string, value: unknown): boolean {
  if (name.length > 100 || !name.isWellFormed()) return false;
  return typeof value === 'string' ? value.length <= 1000 && value.isWellFormed() : typeof value === 'boolean' || Number.isFinite(value);
}

function approvalsOf({ approvals }: CallEnd, { mask }: RecordOptions, cuts: Cuts): string {
  if (approvals.length === 0) return '[]';
  const shown = mask(approvals.map(({ kind, approved, by, reason }) => ({ kind, approved, by, reason })));
  return canonicalJson(new Shortener(shares.approvals, cuts).value(shown, '/approvals') ?? null);
}

function verdictOf({ verdict: { effect, reasons } }: CallEnd, { mask }: RecordOptions, cuts: Cuts): string {
  if (reasons.length === 0) return `{"effect":"${effect}","reasons":[]}`;
  const verdict = { effect, reasons: mask(reasons.map(({ kind, message }) => ({ kind, message }))) };
  return canonicalJson(new Shortener(shares.verdict, cuts).value(verdict, '/verdict') ?? null);
}

/** The HTTP status, when the call got one. */
function statusOf({ outcome }: CallEnd): number | undefined {
  const status = outcome.type === 'completed' ? outcome.result.meta['status'] : outcome.error.details.status;
  return typeof status === 'number' && Number.isInteger(status) ? status : undefined;
}
