import { type Call, type CallContext, excerpt, parseUrl, placeholdersIn, ToolkitError } from '../../../kernel/index.ts';
import type { HttpExecution } from '../definition/execution.ts';
import type { AnswerUrl, Poll } from '../definition/poll.ts';
import type { Exchange } from '../exchange.ts';
import { makeLookup } from '../request/lookup.ts';
import { renderUrl } from '../request/url.ts';
import { valueAt } from '../response/answer-path.ts';

/** Limit of a URL in an answer, in characters. */
const maxLength = 8192;

/** A URL that an answer leads to. */
export interface NextUrl {
  readonly url: URL;
  /** True for the origin of the first request, which gets credentials. */
  readonly isFirstOrigin: boolean;
}

/**
 * Returns the URL to which an answer leads. Throws EXECUTION_FAILED when the answer has none, and OUTBOUND_BLOCKED for an origin that is neither that of
 * the first request nor one of `origins`. Both say that the call was carried out.
 */
export async function nextUrl(
  rule: AnswerUrl,
  { origins = [] }: Poll,
  answer: Exchange,
  firstOrigin: string,
  execution: HttpExecution,
  context: CallContext,
): Promise<NextUrl> {
  const { tool } = context;
  const url = rule.template === undefined ? writtenUrl(rule, answer, context) : await templateUrl(rule, answer, execution, context);
  url.hash = '';
  if (url.username !== '' || url.password !== '') throw urlError(context, 'a URL without user name and password', url.host);
  const isFirstOrigin = url.origin === firstOrigin;
  if (isFirstOrigin || origins.includes(url.origin)) return { url, isFirstOrigin };
  throw new ToolkitError(
    'OUTBOUND_BLOCKED',
    `The answer to "${tool.name}" leads to ${excerpt(url.origin, 100)}, which was not followed: expected ${[firstOrigin, ...origins].join(' or ')}. Its definition can name further origins (poll.origins).`,
    { tool: tool.name, host: excerpt(url.host, 100), status: answer.read.status, carriedOut: true },
  );
}

function writtenUrl({ header, path }: AnswerUrl, { headers, read, url: base }: Exchange, context: CallContext): URL {
  const value = header === undefined ? valueAt(read.body, path ?? '') : headers.get(header);
  const where = header === undefined ? `at "${path}"` : `in the header ${header}`;
  if (typeof value !== 'string' || value === '') throw urlError(context, `a URL ${where} of the answer`, 'none');
  const url = value.length > maxLength ? undefined : parseUrl(value, base.href);
  if (url === undefined) throw urlError(context, `a URL ${where} of the answer`, `"${excerpt(context.mask(value), 100)}"`);
  return url;
}

async function templateUrl(
  { template = '', answer = {} }: AnswerUrl,
  { call, read, url: base }: Exchange,
  execution: HttpExecution,
  context: CallContext,
): Promise<URL> {
  const lookup = await makeLookup(call, execution, context);
  const ofAnswer = new Map<string, unknown>();
  for (const [name, path] of Object.entries(answer)) {
    const value = valueAt(read.body, path);
    if (typeof value !== 'string' && typeof value !== 'number')
      throw urlError(context, `a text or a number at "${path}" of the answer`, 'none');
    ofAnswer.set(name, value);
  }
  const text = template.startsWith('/') ? (baseOf(call) ?? base.origin) + template : template;
  try {
    return renderUrl(text, (name) => (ofAnswer.has(name) ? ofAnswer.get(name) : lookup(name)));
  } catch (error) {
    const isOfService = ToolkitError.is(error) && placeholdersIn(template).some((name) => ofAnswer.has(name));
    throw isOfService ? urlError(context, `a value in the answer that may stand in ${template}`, 'another one', error) : error;
  }
}

/** Returns the URL that stands before a relative one, as for `execution.url`. */
function baseOf({ tool }: Call): string | undefined {
  return tool.provider?.definition.base_url?.replace(/\/$/, '');
}

function urlError({ tool }: CallContext, expected: string, received: string, cause?: unknown): ToolkitError {
  return new ToolkitError(
    'EXECUTION_FAILED',
    `"${tool.name}" cannot ask for its result: expected ${expected}, received ${received}.`,
    { tool: tool.name, carriedOut: true },
    cause === undefined ? {} : { cause },
  );
}
