import { type Call, type CallEnd, isCarriedOut, type Refusal, type Tool } from '../../kernel/index.ts';
import type { CallTextCache, CallTexts, RecordNames } from './call-texts.ts';
import { canonicalJson, type RecordText, recordText } from './chain.ts';
import { Cuts, isPlainText, nameText, Shortener } from './shortener.ts';

/** The record of a call, and the members that the log prints when the record cannot be written. */
export interface CallRecord extends RecordText {
  /** Id of the call, or of the approval. */
  readonly callId: string;
  readonly tool: string;
  readonly caller: string;
  readonly outcome: string | undefined;
  readonly time: string;
}

export interface RecordOptions {
  readonly texts: CallTextCache;
  /** Content of the member `parameters`: values (secrets masked), names only, or no such member. */
  readonly parameters: 'masked' | 'names' | 'none';
  /** sha256 of the definition, hex; absent without a tool. */
  readonly definitionHash: string | undefined;
  /** RFC 3339, with milliseconds. */
  readonly time: string;
  /** Masks all known secrets. At the end of a call, the kernel has masked the parameters only. */
  readonly mask: <T>(value: T) => T;
}

export interface CallRecordOptions extends RecordOptions {
  /** False when the call ended before anything executed it. */
  readonly executed: boolean;
}

/** Maximum length of a record's line, in bytes. */
export const maxRecordBytes = 16 * 1024;

/** Maximum length of a name in a record, in bytes. */
export const maxNameBytes = 400;

/** Shares of `maxRecordBytes`, in bytes; the rest is for hashes, times and member names. */
const shares = { account: 800, verdict: 2500, approvals: 2500, parameters: 7000, cuts: 1200 };

/** Returns the record of an ended call. Its size is bounded, whatever the caller sent. */
export function callRecord(end: CallEnd, options: CallRecordOptions): CallRecord {
  const cuts = new Cuts(shares.cuts);
  const { id, caller, toolName, origin, outcome, tool, approvals, verdict } = end;
  const { time, mask } = options;
  const hasNoValidResult = outcome.type === 'failed' && isCarriedOut(outcome.error, toolName);
  const code = outcome.type === 'completed' || hasNoValidResult ? 'completed' : outcome.error.code;
  const names = recordNames({ caller, name: toolName, tool }, options, cuts);
  const texts = options.texts.get(tool, names);
  const parameters = parametersOf(end.parameters, options, cuts);
  const approvalsText = approvals.length === 0 ? noApprovals : `"approvals":${approvalsOf(approvals, mask, cuts)},`;
  const trace = traceText(end);
  const isPlain = isAllowed(verdict) && trace === '';
  const verdictText = isPlain ? texts.allowed : `${texts.tool}${trace},"verdict":${verdictOf(verdict, mask, cuts)}`;
  const durationMs = Math.round(end.durationMs * 1000) / 1000;
  const status = statusOf(end);
  return {
    beforeHash: `${accountText(end, mask, cuts)}${approvalsText}${callText(id, texts, cuts)}"duration_ms":${durationMs}${options.executed ? executedText : unexecutedText}`,
    beforePrevious: `${hasNoValidResult ? `"no_result":"${outcome.error.code}",` : ''}${options.texts.outcome(origin, code)}${parameters}`,
    beforeSeq: texts.beforeSeq,
    afterSeq: `${status === undefined ? '' : `,"status":${status}`},"time":"${time}${verdictText}`,
    callId: id,
    tool: names.tool,
    caller: names.caller,
    outcome: code,
    time,
  };
}

/** Returns the record of a call that is about to run. It is the only trace if the process is killed before the call ends. */
export function intentRecord({ id, caller, tool, parameters, origin }: Call, options: RecordOptions): CallRecord {
  const cuts = new Cuts(shares.cuts);
  const { time } = options;
  const names = recordNames({ caller, name: tool.name, tool }, options, cuts);
  const texts = options.texts.get(tool, names);
  const parametersText = parametersOf(options.mask(parameters), options, cuts);
  return {
    beforeHash: `${callText(id, texts, cuts)}"event":"intent",`,
    beforePrevious: `"origin":"${origin}",${parametersText}`,
    beforeSeq: texts.beforeSeq,
    afterSeq: `,"time":"${time}${texts.tool}`,
    callId: id,
    tool: names.tool,
    caller: names.caller,
    outcome: undefined,
    time,
  };
}

/** Returns the record of a request that was refused before it became a call. Its secrets are masked. */
export function refusalRecord({ reason, status, address, caller, count }: Refusal, time: string): CallRecord {
  const cuts = new Cuts(shares.cuts);
  const callerName = caller === undefined ? undefined : nameOf(caller, '/caller', cuts);
  const addressText = nameOf(address, '/address', cuts);
  const body = { event: 'refused', time, reason: nameOf(reason, '/reason', cuts), status, address: addressText, caller: callerName, count };
  return { ...recordText(body), callId: '', tool: '', caller: callerName ?? '', outcome: reason, time };
}

/** Returns the member `account` with a trailing comma, or an empty text. Its name is the first of all. */
function accountText({ account }: CallEnd, mask: RecordOptions['mask'], cuts: Cuts): string {
  if (account === undefined) return '';
  return `"account":${canonicalJson(new Shortener(shares.account, cuts).value(mask(account), '/account') ?? null)},`;
}

/** Returns the member `trace_id` with a leading comma, or an empty text. */
function traceText({ traceId }: CallEnd): string {
  return traceId === undefined || !/^[0-9a-f]{32}$/.test(traceId) ? '' : `,"trace_id":"${traceId}"`;
}

const noApprovals = '"approvals":[],';
const executedText = ',"executed":true,';
const unexecutedText = ',"executed":false,';

interface CallNames {
  readonly caller: string;
  readonly name: string;
  readonly tool: Tool | undefined;
}

/** Returns the names of a call, masked and shortened. */
function recordNames({ caller, name, tool }: CallNames, { mask, definitionHash }: RecordOptions, cuts: Cuts): RecordNames {
  const provider = tool?.provider?.name;
  return {
    caller: nameOf(mask(caller), '/caller', cuts),
    provider: provider === undefined ? undefined : nameOf(mask(provider), '/provider', cuts),
    tool: nameOf(mask(name), '/tool', cuts),
    hash: definitionHash,
    risk: tool?.risk,
  };
}

/** Returns the first members of a call's record. Called last, when `cuts` is complete. */
function callText(id: string, { caller, hash, afterId }: CallTexts, { entries }: Cuts): string {
  return entries.length === 0
    ? `"call_id":"${id}${afterId}`
    : `"call_id":"${id}","caller":${caller},"cut":${JSON.stringify(entries)},${hash}`;
}

function nameOf(text: string, pointer: string, cuts: Cuts): string {
  const isShort = text.length < maxNameBytes / 2 && isPlainText(text);
  return isShort ? text : new Shortener(maxNameBytes, cuts).text(text, pointer);
}

/** Returns the member `parameters` with a trailing comma, or an empty text. */
function parametersOf(parameters: Readonly<Record<string, unknown>>, { parameters: form }: RecordOptions, cuts: Cuts): string {
  if (form === 'none') return '';
  const text = form === 'masked' ? plainParameters(parameters) : undefined;
  if (text !== undefined) return `"parameters":${text},`;
  const value = form === 'names' ? Object.keys(parameters) : parameters;
  return `"parameters":${canonicalJson(new Shortener(shares.parameters, cuts).value(value, '/parameters') ?? null)},`;
}

/** Serializes the common case: a few short texts and numbers, where nothing must be cut. Undefined for all other parameters. */
function plainParameters(parameters: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(parameters);
  if (names.length > 1) names.sort();
  let text = '';
  for (const name of names) {
    const value = plainValue(parameters[name]);
    if (value === undefined || name.length > 100 || !name.isWellFormed()) return undefined;
    text += `${text === '' ? '' : ','}${nameText(name)}:${value}`;
  }
  // Escaped characters take up to four times as many bytes.
  return text.length < shares.parameters / 4 ? `{${text}}` : undefined;
}

/** JSON of a short text, a number or a boolean; undefined for other values. */
function plainValue(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (value.length > 1000) return undefined;
    return isPlainText(value) ? `"${value}"` : value.isWellFormed() ? JSON.stringify(value) : undefined;
  }
  return typeof value === 'boolean' || Number.isFinite(value) ? JSON.stringify(value) : undefined;
}

function approvalsOf(approvals: CallEnd['approvals'], mask: RecordOptions['mask'], cuts: Cuts): string {
  const masked = mask(approvals.map(({ kind, approved, by, reason, record }) => ({ kind, approved, by, reason, record })));
  return canonicalJson(new Shortener(shares.approvals, cuts).value(masked, '/approvals') ?? null);
}

/** True when the verdict is `allow` without reasons, as for most calls. */
function isAllowed({ effect, reasons }: CallEnd['verdict']): boolean {
  return effect === 'allow' && reasons.length === 0;
}

function verdictOf({ effect, reasons }: CallEnd['verdict'], mask: RecordOptions['mask'], cuts: Cuts): string {
  if (reasons.length === 0) return `{"effect":"${effect}","reasons":[]}`;
  const verdict = { effect, reasons: mask(reasons.map(({ kind, message }) => ({ kind, message }))) };
  return canonicalJson(new Shortener(shares.verdict, cuts).value(verdict, '/verdict') ?? null);
}

/** Returns the HTTP status of the call, if it has one. */
function statusOf({ outcome }: CallEnd): number | undefined {
  const status = outcome.type === 'completed' ? outcome.result.meta['status'] : outcome.error.details.status;
  return typeof status === 'number' && Number.isInteger(status) ? status : undefined;
}
