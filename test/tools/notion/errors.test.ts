import { expect } from 'chai';
import type { ErrorCode } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { packToolkit } from '../packs.ts';
import { key, notionPack } from './notion-pack.ts';

interface Refusal {
  readonly when: string;
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Notion's own code and words. */
  readonly error: readonly [code: string, message: string];
  readonly code: ErrorCode;
  readonly says: readonly string[];
}

const page = { page_id: '59833787-2cf9-4fdf-8782-e53db20768a5' };
const source = { data_source_id: '1a44be12-0953-4631-b498-9e5817518db8' };
const comment = { ...page, rich_text: [{ text: { content: 'x' } }] };
const text = 'Could not find data_source with ID: 1a44be12-0953-4631-b498-9e5817518db8.';

const refusals: readonly Refusal[] = [
  {
    when: 'the key is wrong',
    tool: 'notion_search',
    parameters: {},
    status: 401,
    error: ['unauthorized', 'API token is invalid.'],
    code: 'AUTH_FAILED',
    says: ['Renew NOTION_API_KEY', 'API token is invalid.'],
  },
  {
    when: 'the integration lacks a capability',
    tool: 'notion_create_comment',
    parameters: comment,
    status: 403,
    error: ['restricted_resource', 'Insufficient permissions for this endpoint.'],
    code: 'INSUFFICIENT_SCOPE',
    says: ['needs scope insert comments', 'Insufficient permissions for this endpoint.'],
  },
  {
    when: 'the data source is not shared with the integration',
    tool: 'notion_query_database',
    parameters: source,
    status: 404,
    error: ['object_not_found', text],
    code: 'NOT_FOUND',
    says: ['does not exist, or the token may not see it', text],
  },
  {
    when: 'a property does not exist',
    tool: 'notion_create_page',
    parameters: { parent: { type: 'data_source_id', ...source }, properties: { Größe: { number: 1 } } },
    status: 400,
    error: ['validation_error', 'Größe is not a property that exists.'],
    code: 'BAD_REQUEST',
    says: ['Größe is not a property that exists.'],
  },
  {
    when: 'somebody else changes the page at the same time',
    tool: 'notion_update_page',
    parameters: { ...page, properties: {} },
    status: 409,
    error: ['conflict_error', 'Conflict occurred while saving. Please try again.'],
    code: 'BAD_REQUEST',
    says: ['Conflict occurred while saving.'],
  },
  {
    when: 'there are too many requests',
    tool: 'notion_list_databases',
    parameters: {},
    status: 429,
    headers: { 'retry-after': '90' },
    error: ['rate_limited', 'You have been rate limited. Please try again in a few minutes.'],
    code: 'RATE_LIMITED',
    says: ['too many requests', 'You have been rate limited.'],
  },
  {
    when: 'Notion is overloaded',
    tool: 'notion_get_user',
    parameters: { user_id: 'd40e767c-d7af-4b18-a86d-55c61f1e39a4' },
    status: 529,
    error: ['service_overload', 'Please try again later.'],
    code: 'UPSTREAM_UNAVAILABLE',
    says: ['Try again later'],
  },
];

describe('@toolkit/notion: errors', () => {
  for (const { when, tool, parameters, status, headers = {}, error: words, code, says } of refusals) {
    it(`end with ${code} when ${when}, after one request, and never show the key`, async () => {
      const body = { object: 'error', status, code: words[0], message: words[1], request_id: '2f0b8a0e' };
      const { toolkit, requests, logger } = await notionPack(() => ({ status, headers, body }));
      const error = await rejection(toolkit.execute(tool, parameters), code);
      expect(error.details).to.include({ tool, status });
      for (const said of says) expect(error.message).to.include(said);
      expect(error.details.retryAfterMs).to.equal(status === 429 ? 90_000 : undefined);
      expect(requests.map((request) => request.headers.authorization)).to.deep.equal([`Bearer ${key}`]);
      expect(`${JSON.stringify([error, logger.records])}${error.stack}${String(error.cause)}`).to.not.include(key);
    });
  }

  const wrong: readonly { tool: string; parameters: Readonly<Record<string, unknown>>; says: string }[] = [
    { tool: 'notion_search', parameters: { filter: 'page' }, says: 'filter expected object' },
    {
      tool: 'notion_search',
      parameters: { filter: { property: 'object', value: 'database' } },
      says: 'filter.value expected one of "page", "data_source"',
    },
    { tool: 'notion_search', parameters: { filter: { value: 'page' } }, says: 'filter.property is required' },
    { tool: 'notion_search', parameters: { sort: { direction: 'descending' } }, says: 'sort.timestamp is required' },
    { tool: 'notion_search', parameters: { page_size: 101 }, says: 'page_size' },
    { tool: 'notion_list_databases', parameters: { filter: {} }, says: 'filter is not known here' },
    { tool: 'notion_query_database', parameters: { database_id: 'x' }, says: 'data_source_id is required' },
    {
      tool: 'notion_query_database',
      parameters: { ...source, sorts: [{ property: 'Due', direction: 'down' }] },
      says: 'sorts[0].direction expected one of "ascending", "descending"',
    },
    { tool: 'notion_query_database', parameters: { data_source_id: '../users' }, says: '"." and ".."' },
    { tool: 'notion_create_page', parameters: { properties: {} }, says: 'parent is required' },
    { tool: 'notion_create_page', parameters: { parent: {}, properties: {} }, says: 'parent expected to' },
    {
      tool: 'notion_create_page',
      parameters: { parent: page, properties: {}, children: Array.from({ length: 101 }, () => ({})) },
      says: 'children expected to',
    },
    { tool: 'notion_create_page', parameters: { parent: page, properties: {}, icon: '🏯' }, says: 'icon expected object' },
    { tool: 'notion_update_page', parameters: { ...page, in_trash: 'yes' }, says: 'in_trash expected boolean' },
    { tool: 'notion_create_comment', parameters: { ...page, rich_text: [] }, says: 'rich_text expected to' },
    { tool: 'notion_create_comment', parameters: { ...page, rich_text: 'x' }, says: 'rich_text expected array' },
    {
      tool: 'notion_create_comment',
      parameters: { ...page, rich_text: [{ text: { content: 'x'.repeat(2001) } }] },
      says: 'rich_text[0].text.content expected to',
    },
    { tool: 'notion_get_user', parameters: { user_id: 'Ada' }, says: 'user_id expected to match format' },
  ];
  for (const { tool, parameters, says } of wrong) {
    it(`${tool} refuses ${JSON.stringify(parameters).slice(0, 80)} and sends nothing`, async () => {
      const { toolkit, requests } = await notionPack(() => ({ body: {} }));
      const error = await rejection(toolkit.execute(tool, parameters), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
      expect(requests).to.deep.equal([]);
    });
  }

  it('ask for the key when there is none', async () => {
    const toolkit = await packToolkit('notion', { env: { NOTION_CLIENT_SECRET: 'x' } });
    const error = await rejection(toolkit.execute('notion_search'), 'MISSING_PARAMETER');
    expect(error.message).to.match(/^Missing required parameter: NOTION_API_KEY\./);
  });
});
