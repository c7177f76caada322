import { excerpt, type Kernel, ToolkitError } from '../../../kernel/index.ts';
import { type CallTrail, callTrail } from '../../shared/calls/trail-fact.ts';
import type { CallsLog } from '../feed/calls.ts';
import type { KeptParameters } from '../feed/ended-calls.ts';
import { callOfRecord, parametersOfRecord } from '../feed/trail-call.ts';
import type { CallDetails, CallsPage, EndedCall, RunningCall } from '../wire/calls.ts';
import type { ConsoleServices, Endpoint } from './endpoint.ts';

/** Number of ended calls on a page. */
const pageSize = 50;

interface PageQuery {
  readonly after?: string;
  readonly tool?: string;
}

/** Calls that run, and those that have ended: of the audit trail where there is one, else of this process. */
export const callsEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: 'calls',
    async answer({ query }, { kernel, calls }): Promise<CallsPage> {
      const after = query.get('after') || undefined;
      const tool = query.get('tool') || undefined;
      const asked: PageQuery = { ...(after === undefined ? {} : { after }), ...(tool === undefined ? {} : { tool }) };
      const trail = trailOf(kernel);
      const page = trail === undefined ? processPage(asked, calls) : await trailPage(asked, trail, calls);
      // Read last: a call that has ended meanwhile is on the page.
      const ended = new Set(page.ended.map(({ callId }) => callId));
      const { calls: all = [], count = 0 } = after === undefined ? (calls?.running(tool) ?? {}) : {};
      const running = all.filter(({ callId }) => !ended.has(callId));
      return kernel.mask({ running, ...(count > all.length ? { runningCount: count } : {}), ...page });
    },
  },
  {
    method: 'GET',
    path: 'calls/{id}',
    async answer({ values: { id = '' } }, services): Promise<CallDetails> {
      return services.kernel.mask(await detailsOf(id, services));
    },
  },
];

function trailOf(kernel: Kernel): CallTrail | undefined {
  return kernel.facts(callTrail)[0]?.value;
}

async function trailPage({ after, tool }: PageQuery, trail: CallTrail, log: CallsLog | undefined): Promise<Omit<CallsPage, 'running'>> {
  const query = { limit: pageSize, ...(after === undefined ? {} : { after }), ...(tool === undefined ? {} : { tool }) };
  const { records, next, broken } = await trail.read(query);
  const read = records.map((record) => completed(callOfRecord(record), log));
  const ended = after === undefined && log !== undefined ? withUnwritten(read, log, tool) : read;
  return { ended, ...(next === undefined ? {} : { next }), from: 'trail', ...(broken === 0 ? {} : { broken }) };
}

/** Returns a call of the trail with what this process knows beside: the stages, the message of the error, and the approval that it waits as. */
function completed(call: EndedCall, log: CallsLog | undefined): EndedCall {
  const own = log?.find(call.callId)?.call;
  if (own === undefined || !('outcome' in own)) return call;
  const { stages, message, approval } = own;
  return {
    ...call,
    ...(stages === undefined ? {} : { stages }),
    ...(message === undefined ? {} : { message }),
    ...(approval === undefined ? {} : { approval }),
  };
}

/**
 * Adds calls of this process whose records are not written yet, or could not be: those after its newest call in the trail, because records are written
 * in the order of the ends. Times alone cannot tell: a record has another clock's.
 */
function withUnwritten(read: readonly EndedCall[], log: CallsLog, tool: string | undefined): readonly EndedCall[] {
  const known = new Set(read.map(({ callId }) => callId));
  const own = log.ended(Number.MAX_SAFE_INTEGER, tool === undefined ? {} : { tool }).calls;
  const newest = own.findIndex(({ callId }) => known.has(callId));
  const newestEnd = Math.max(0, ...read.map(endOf));
  const missing = newest === -1 ? own.filter((call) => endOf(call) > newestEnd) : own.slice(0, newest);
  return missing.length === 0 ? read : [...missing, ...read].sort((a, b) => endOf(b) - endOf(a));
}

function endOf({ startedAt, durationMs }: EndedCall): number {
  return startedAt + durationMs;
}

function processPage({ after, tool }: PageQuery, log: CallsLog | undefined): Omit<CallsPage, 'running'> {
  const before = after === undefined ? undefined : numberOf(after);
  const options = { ...(before === undefined ? {} : { before }), ...(tool === undefined ? {} : { tool }) };
  const { calls, next } = log?.ended(pageSize, options) ?? { calls: [] };
  return { ended: calls, ...(next === undefined ? {} : { next: `${next}` }), from: 'process' };
}

function numberOf(cursor: string): number {
  if (/^[1-9]\d{0,14}$/.test(cursor)) return Number(cursor);
  const message = `The cursor "${excerpt(cursor, 50)}" is none of these calls. Pass the "next" of the page before, or none for the newest calls.`;
  throw new ToolkitError('INVALID_PARAMETERS', message);
}

async function detailsOf(id: string, { kernel, calls, now }: ConsoleServices): Promise<CallDetails> {
  const own = calls?.find(id);
  if (own !== undefined && !('outcome' in own.call)) return withParameters(runningDetails(own.call, now()), own.kept);
  const hasAll = own !== undefined && own.kept.parameters !== undefined;
  const record = hasAll ? undefined : await trailOf(kernel)?.find(id);
  if (record !== undefined) return withParameters(completed(callOfRecord(record), calls), parametersOfRecord(record));
  if (own !== undefined && 'outcome' in own.call) return withParameters(own.call, own.kept);
  const message = `There is no call "${excerpt(id, 50)}" in ${trailOf(kernel) === undefined ? 'the last 1,000 of this process' : 'the audit trail'}.`;
  throw new ToolkitError('NOT_FOUND', message);
}

function runningDetails(call: RunningCall, now: number): EndedCall {
  return { ...call, durationMs: Math.max(0, now - call.startedAt), outcome: 'running', reasons: [], approvals: [] };
}

function withParameters(call: EndedCall, { parameters, note }: KeptParameters): CallDetails {
  return { ...call, ...(parameters === undefined ? {} : { parameters }), ...(note === undefined ? {} : { parametersNote: note }) };
}
