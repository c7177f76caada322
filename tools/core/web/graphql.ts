import { excerpt, isPlainObject, parseUrl, readJson, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { type ReplacedResult, replacedResult } from '../../../plugins/shared/text/utf8.ts';
import { decodeText } from './decode-text.ts';
import { exchange } from './exchange.ts';
import { statusError } from './fetch-error.ts';
import { notOnlyQueries } from './graphql-document.ts';
import { mediaTypeOf } from './media-type.ts';
import { readBytes } from './read-bytes.ts';
import { closeAndReturn } from './read-text.ts';
import { headersOf, refuseMethodOverride } from './request.ts';

interface GraphqlParameters {
  readonly url: string;
  readonly query: string;
  readonly operation: 'query' | 'mutation';
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly operation_name?: string;
}

interface GraphqlAnswer extends ReplacedResult {
  readonly data: unknown;
  readonly errors: readonly unknown[];
}

const maxBytes = 5 * 1024 * 1024;
const timeoutMs = 30_000;

/**
 * Sends one GraphQL operation (GraphQL over HTTP, draft of 2023). Errors of the operation are part of the result, also when the
 * server sends them with a status of 4xx. Throws the code of any other status from 400 on, EXECUTION_FAILED for a response that
 * is not GraphQL, and INVALID_PARAMETERS for a document that may do more than query.
 */
export function graphql(
  { url, query, operation: kind, variables, headers: given = {}, operation_name: name }: GraphqlParameters,
  context: FunctionContext,
): Promise<GraphqlAnswer> {
  const headers = headersOf({ accept: 'application/graphql-response+json, application/json;q=0.9', ...given });
  headers.set('content-type', 'application/json');
  if (kind === 'query') refuseMore(query, url, headers);
  const operation = { query, ...(variables === undefined ? {} : { variables }), ...(name === undefined ? {} : { operationName: name }) };
  return exchange(
    url,
    { method: 'POST', headers, body: JSON.stringify(operation) },
    timeoutMs,
    context,
    async ({ response, url: final }) => {
      const { bytes, truncated } = await readBytes(response.body, maxBytes);
      if (truncated)
        throw new ToolkitError(
          'OUTPUT_TOO_LARGE',
          `The answer of ${excerpt(final)} is larger than ${maxBytes} bytes. Ask for less in one query.`,
        );
      const decoded = decodeText(bytes, mediaTypeOf(response.headers));
      const answer = answerIn(decoded.text);
      if (answer !== undefined) return { ...answer, ...replacedResult(decoded) };
      if (response.status >= 400) throw await closeAndReturn(response, statusError(response.status, final, response.headers));
      throw new ToolkitError(
        'EXECUTION_FAILED',
        `${excerpt(final)} gave no GraphQL answer: expected JSON with data or errors. Check the address.`,
        { status: response.status },
      );
    },
  );
}

/** Query parameters of the address that servers may use in place of the body. */
const inPlaceOfBody = ['query', 'mutation', 'operationname', 'variables', 'extensions', 'documentid', 'doc_id', '_method'];

function refuseMore(query: string, address: string, headers: Headers): void {
  const why = notOnlyQueries(query);
  if (why !== undefined) throw notQuery('query', `expected queries and fragments only, because operation is query, but ${why}`);
  const named = [...(parseUrl(address)?.searchParams.keys() ?? [])].find((name) => inPlaceOfBody.includes(name.toLowerCase()));
  if (named !== undefined)
    throw notQuery(
      'url',
      `expected an address without "${named}", because operation is query and servers may take it in place of the document`,
    );
  refuseMethodOverride(headers);
}

function notQuery(path: string, message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${path}": ${message}. To change things say operation: mutation.`, {
    issues: [{ path, message }],
  });
}

function answerIn(text: string): GraphqlAnswer | undefined {
  try {
    const body = readJson(text);
    if (!isPlainObject(body)) return undefined;
    const { data, errors } = body;
    const isAnswer = isPlainObject(data) || (data ?? null) === null;
    if (!isAnswer || (data === undefined && !Array.isArray(errors))) return undefined;
    return { data: data ?? null, errors: Array.isArray(errors) ? errors : [] };
  } catch {
    return undefined;
  }
}
