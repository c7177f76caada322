import { setTimeout } from 'node:timers/promises';
import { type CallContext, placeholdersIn, ToolkitError } from '../../../kernel/index.ts';
import { parseRetryAfterMs } from '../../shared/http/status.ts';
import type { HttpExecution } from '../definition/execution.ts';
import type { HttpDefinition } from '../definition/http-definition.ts';
import { type AnswerUrl, type Poll, pendingStatuses } from '../definition/poll.ts';
import { type Exchange, exchangeBy, hostOriginOf, type RequestPlan } from '../exchange.ts';
import { valueAt } from '../response/answer-path.ts';
import type { ReadLimits } from '../response/response.ts';
import { type SaveTarget, saveTargetOf } from '../response/save-answer.ts';
import { isDone, stateText } from './answer-state.ts';
import { type NextUrl, nextUrl } from './answer-url.ts';
import { notReadyError, type PollEnd, pollError } from './poll-errors.ts';

const defaultEveryMs = 2000;

/** Limit of all waiting for a call with the usual time limit of 60 seconds. */
const defaultMaxMs = 55_000;

/** Failures in a row that end the waiting. */
const maxFailures = 3;

const passingFailures: ReadonlySet<string> = new Set(['RATE_LIMITED', 'UPSTREAM_UNAVAILABLE']);

/**
 * Waits for the result of a call whose first answer has none yet, and returns the answer that has it. Returns the first answer when it is the result.
 * Throws EXECUTION_FAILED when the work has failed, TIMEOUT at the limit, OUTPUT_TOO_LARGE when all answers together exceed the limit of the call,
 * and the errors of requests. An abort of the call ends the wait at once.
 */
export async function pollResult(
  http: HttpDefinition,
  poll: Poll,
  first: Exchange,
  context: CallContext,
  limits: ReadLimits,
): Promise<Exchange> {
  if (!pendingStatuses(poll).includes(first.read.status)) return first;
  const walk: Walk = { http, poll, first, context, limits };
  const { last, bytes } = isDone(poll, first.read, context) ? { last: first, bytes: first.read.bytes } : await waitForEnd(walk);
  const { path, url } = poll.result ?? {};
  if (url !== undefined) {
    const next = await urlOf(walk, url, last);
    const saveTarget = saveTargetOf(http.saveTo.of(context.tool), first.call.parameters);
    return request(walk, { next, last, bytes, saveTarget }).catch((error: unknown) => {
      if (context.signal.aborted || !ToolkitError.is(error)) throw error;
      throw pollError(error, { accepted: first, last, statusUrl: next.url, count: 0 }, context);
    });
  }
  return path === undefined ? last : partOf(last, path, context);
}

interface Walk {
  readonly http: HttpDefinition;
  readonly poll: Poll;
  readonly first: Exchange;
  readonly context: CallContext;
  readonly limits: ReadLimits;
}

/** The last answer of the waiting, and the bytes of all answers before the next request. */
interface WaitEnd {
  readonly last: Exchange;
  readonly bytes: number;
}

async function waitForEnd(walk: Walk): Promise<WaitEnd> {
  const { http, poll, first, context } = walk;
  const { every_ms: everyMs = defaultEveryMs } = poll;
  const { timeout_ms: timeoutMs } = context.tool.execution;
  const maxMs = poll.max_ms ?? (timeoutMs === undefined ? defaultMaxMs : Math.ceil(timeoutMs * 0.95));
  const endsAt = performance.now() + maxMs;
  const status = await urlOf(walk, poll.url, first);
  const saveTarget = saveTargetOf(http.saveTo.of(context.tool), first.call.parameters);
  let last = first;
  let { bytes } = first.read;
  let waitMs = Math.max(everyMs, parseRetryAfterMs(first.headers) ?? 0);
  let failures = 0;
  for (let count = 0; ; count += 1) {
    const end: PollEnd = { accepted: first, last, statusUrl: status.url, count };
    const state = stateText(poll, last.read, context);
    if (performance.now() + waitMs > endsAt) throw notReadyError(end, maxMs, waitMs, state, context);
    context.progress({
      progress: count,
      message: `no result yet${state === '' ? '' : ` (${state})`}, asked ${count} ${count === 1 ? 'time' : 'times'}`,
    });
    await wait(waitMs, context.signal);
    try {
      const answer = await request(walk, {
        next: status,
        last,
        bytes,
        saveTarget: poll.result?.url === undefined ? saveTarget : undefined,
      });
      bytes += answer.read.bytes;
      if (isDone(poll, answer.read, context)) return { last: answer, bytes };
      last = answer;
      failures = 0;
      waitMs = Math.max(everyMs, parseRetryAfterMs(answer.headers) ?? 0);
    } catch (error) {
      if (context.signal.aborted || !ToolkitError.is(error)) throw error;
      if (error.code === 'EXECUTION_FAILED') throw error;
      failures += 1;
      if (failures >= maxFailures || !passingFailures.has(error.code)) throw pollError(error, end, context);
      waitMs = Math.max(everyMs, error.details.retryAfterMs ?? 0);
    }
  }
}

function urlOf({ http, poll, first, context }: Walk, rule: AnswerUrl, answer: Exchange): Promise<NextUrl> {
  return nextUrl(rule, poll, answer, first.origin, http.execution.of(context.tool), context);
}

interface NextRequest extends WaitEnd {
  readonly next: NextUrl;
  readonly saveTarget: SaveTarget | undefined;
}

/** Sends GET to a URL of an answer. An answer without a result is not saved. */
function request({ http, poll, context, limits }: Walk, { next, last: { call }, bytes, saveTarget }: NextRequest): Promise<Exchange> {
  const execution = http.execution.of(context.tool);
  const isSecret = (template: unknown): boolean => placeholdersIn(template).some((name) => call.credentials.has(name));
  const pending = pendingStatuses(poll);
  const plan: RequestPlan = {
    execution: executionAt(execution, next, isSecret),
    hostFrom: next.isFirstOrigin ? hostOriginOf(http, call) : 'definition',
    saveTargetFor: (status) => (pending.includes(status) ? undefined : saveTarget),
    hasNoBody: true,
  };
  return exchangeBy(http, plan, call, context, { ...limits, previousBytes: bytes });
}

/** Returns the execution of a GET request for a URL: the headers that do not describe a body, and for the first origin the authentication. */
function executionAt(
  { headers = {}, auth, parameter_encoding: encoding }: HttpExecution,
  { url, isFirstOrigin }: NextUrl,
  isSecret: (template: unknown) => boolean,
): HttpExecution {
  const isSent = ([name, template]: readonly [string, unknown]): boolean =>
    !/^(content-|if-)/i.test(name) && (isFirstOrigin || !(isSecret(template) || /^(authorization|cookie)$/i.test(name)));
  return {
    method: 'get',
    // A URL is no template: its braces stand for themselves.
    url: url.href.replaceAll('{', '{{').replaceAll('}', '}}'),
    headers: Object.fromEntries(Object.entries(headers).filter(isSent)),
    ...(auth === undefined || !isFirstOrigin ? {} : { auth }),
    ...(encoding === undefined ? {} : { parameter_encoding: encoding }),
  };
}

function partOf(last: Exchange, path: string, { tool }: CallContext): Exchange {
  const { content: _content, ...read } = last.read;
  const body = valueAt(read.body, path);
  if (body !== undefined) return { ...last, read: { ...read, body } };
  throw new ToolkitError('OUTPUT_INVALID', `The last answer to "${tool.name}" has nothing at "${path}", where its result was expected.`, {
    tool: tool.name,
    status: read.status,
    output: read.body,
  });
}

/** Waits, and throws the reason of the call's abort at once. */
async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}
