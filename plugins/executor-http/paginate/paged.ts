import {
  type Call,
  type CallContext,
  describeValue,
  type ExecutionResult,
  isPlainObject,
  type JsonValue,
  refuseValue,
  ToolkitError,
} from '../../../kernel/index.ts';
import { withReplaced } from '../../shared/text/with-replaced.ts';
import type { HttpExecution } from '../definition/execution.ts';
import type { Paginate } from '../definition/paginate.ts';
import type { Exchange } from '../exchange.ts';
import { valueAt } from '../response/answer-path.ts';
import type { ReadLimits, ReadResponse } from '../response/response.ts';
import { pagingError } from './next-link.ts';
import { findList, makeOutput } from './paged-output.ts';
import { type Page, type PagePosition, type PageResult, type Pages, type PagesContext, resumeOf, startOf } from './pages.ts';
import { pagesOf } from './pages-of.ts';

export type Send = (call: Call, limits: Pick<ReadLimits, 'previousBytes' | 'onProgress'>) => Promise<Exchange>;

/** Limit of requests of one call. */
const maxRequests = 1000;

/** Limit of empty pages in a row, where the service names a next page: filters produce such pages. */
const maxEmptyPages = 3;

interface PageWalk {
  readonly paginate: Paginate;
  readonly pages: Pages;
  readonly context: PagesContext;
  readonly start: PagePosition;
}

/**
 * Runs a tool that declares `paginate`: reads up to as many items as its limit parameter says, or makes one request where that
 * is not given.
 */
export async function executePaged(
  call: Call,
  context: CallContext,
  { paginate, execution }: { readonly paginate: Paginate; readonly execution: HttpExecution },
  send: Send,
): Promise<ExecutionResult> {
  const { parameters, name } = call.tool;
  const pagesContext: PagesContext = { size: paginate.size, parameters, execution, toolName: name };
  const pages = pagesOf(paginate, pagesContext);
  const walk: PageWalk = { paginate, pages, context: pagesContext, start: startOf(pages, pagesContext, call.parameters) };
  const limit = call.parameters[paginate.limit];
  if (limit === undefined) return readOnePage(call, context, walk, send);
  if (!Number.isInteger(limit) || Number(limit) < 1) return refuseValue(paginate.limit, 'a whole number from 1');
  return readManyPages(call, context, walk, send, Number(limit));
}

async function readOnePage(call: Call, context: CallContext, { paginate, pages, start }: PageWalk, send: Send): Promise<ExecutionResult> {
  const { read, headers } = await send(call, { previousBytes: 0, onProgress: (progress) => context.progress(progress) });
  const { body, content, status, contentType, replaced } = read;
  const items = findList(body, paginate.items);
  const pageResult = items === undefined ? undefined : pages.readPage({ position: start }, { body, headers, items }, undefined);
  const result = {
    output: pageResult === undefined ? body : makeOutput(paginate, body, undefined, resumeOf(pages, paginate.size, pageResult.next)),
    ...(content === undefined ? {} : { content }),
    meta: { status, contentType },
  };
  return withReplaced(result, replaced);
}

async function readManyPages(first: Call, context: CallContext, walk: PageWalk, send: Send, limit: number): Promise<ExecutionResult> {
  const { paginate, pages, start } = walk;
  const items: JsonValue[] = [];
  const seen = new Set<string>();
  let [call, position, previousBytes, emptyPages, requests] = [first, start, 0, 0, 0];
  let replaced = 0;
  try {
    for (;;) {
      seen.add(keyOf(walk, position));
      const wanted = limit - items.length;
      const pageRequest = pages.nextRequest(position, wanted);
      const {
        call: sentCall,
        headers,
        read,
      } = await send(callAt(call, walk, pageRequest.position), { previousBytes, onProgress: () => {} });
      const pageResult = pages.readPage(pageRequest, pageOf(read, headers, walk), wanted);
      for (const item of pageResult.items) items.push(item);
      [call, previousBytes, requests] = [sentCall, previousBytes + read.bytes, requests + 1];
      replaced += read.replaced ?? 0;
      emptyPages = pageResult.items.length === 0 ? emptyPages + 1 : 0;
      reportProgress(context, pageResult, items.length, { limit, requests });
      const { next } = pageResult;
      const isRepeated = next !== undefined && seen.has(keyOf(walk, next));
      const isEnough = items.length >= limit || requests === maxRequests || emptyPages === maxEmptyPages;
      if (next === undefined || isEnough || (isRepeated && emptyPages > 0)) {
        const output = makeOutput(paginate, read.body, items, resumeOf(pages, paginate.size, next));
        const meta = { status: read.status, contentType: read.contentType, requests, ...beyondLimitMeta(items.length, limit) };
        return withReplaced({ output, meta }, replaced);
      }
      position = next;
      if (isRepeated) throw pagingError(walk.context, 'the service names an earlier page as the next one');
    }
  } catch (error) {
    throw requests === 0 ? error : partialError(error, walk, position, { count: items.length, requests });
  }
}

function keyOf({ pages, paginate }: PageWalk, position: PagePosition): string {
  return JSON.stringify(resumeOf(pages, paginate.size, position));
}

/** Returns the call with the parameters of a page position. */
function callAt(call: Call, { pages, paginate }: PageWalk, { values, size }: PagePosition): Call {
  const others = Object.entries(call.parameters).filter(([name]) => !pages.positionParameters.includes(name));
  const sized = paginate.size === undefined || size === undefined ? {} : { [paginate.size.parameter]: size };
  return { ...call, parameters: { ...Object.fromEntries(others), ...sized, ...values } };
}

function pageOf({ body }: ReadResponse, headers: Headers, { paginate, context }: PageWalk): Page {
  const items = findList(body, paginate.items);
  if (items !== undefined) return { body, headers, items };
  const where = paginate.items === '' ? 'as the answer' : `at "${paginate.items}" of the answer`;
  const received = paginate.items === '' || !isPlainObject(body) ? body : valueAt(body, paginate.items);
  throw pagingError(context, `expected a list ${where}, received ${describeValue(received)}`);
}

function reportProgress(
  context: CallContext,
  pageResult: PageResult,
  count: number,
  { limit, requests }: { limit: number; requests: number },
): void {
  if (pageResult.items.length === 0) return;
  const more = count > limit ? `, ${count - limit} of them over the limit because the last page cannot be cut without losing them` : '';
  context.progress({
    progress: count,
    ...(pageResult.remaining === undefined ? {} : { total: Math.max(count, Math.min(limit, count + pageResult.remaining)) }),
    message: `${count} items of ${requests} ${requests === 1 ? 'page' : 'pages'}${more}`,
  });
}

function beyondLimitMeta(count: number, limit: number): { readonly beyondLimit?: number } {
  return count > limit ? { beyondLimit: count - limit } : {};
}

/** Makes the error of a failure after some pages, with the number of items read and the values that lead to the failed page. */
function partialError(
  error: unknown,
  { paginate, pages }: PageWalk,
  position: PagePosition,
  got: { count: number; requests: number },
): unknown {
  if (!ToolkitError.is(error)) return error;
  const { count, requests } = got;
  const advice = count === 0 ? '' : ` Call with "${paginate.limit}" of at most ${count} to get them, and continue from there.`;
  return new ToolkitError(
    error.code,
    `${error.message} ${count} items of ${requests} ${requests === 1 ? 'page' : 'pages'} were read before, and are not returned.${advice}`,
    { ...error.details, partial: true, items: count, resume: resumeOf(pages, paginate.size, position) },
    { cause: error },
  );
}
