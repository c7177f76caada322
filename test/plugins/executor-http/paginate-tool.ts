import type { ServerResponse } from 'node:http';
import { loopback, type SeenRequest } from '../../support/loopback.ts';
import { type CallTool, httpTool } from './http-tool.ts';

export interface PagedTool {
  readonly call: CallTool;
  /** The query, or for a body its members, of each request. */
  readonly asked: Readonly<Record<string, string>>[];
}

export interface PagedToolOptions {
  readonly paginate: Readonly<Record<string, unknown>>;
  readonly answer: (query: Readonly<Record<string, string>>, response: ServerResponse, request: SeenRequest) => void;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly definition?: Readonly<Record<string, unknown>>;
  readonly execution?: Readonly<Record<string, unknown>>;
  readonly maxResponseBytes?: number;
}

const integer = { type: 'integer' };

/** A tool whose request sends `page`, `per_page`, `cursor`, `offset` and `token` under these names in its query. */
export async function pagedTool({
  paginate,
  answer,
  parameters = {},
  definition = {},
  execution = {},
  maxResponseBytes,
}: PagedToolOptions): Promise<PagedTool> {
  const asked: Record<string, string>[] = [];
  const { url } = await loopback((request, response) => {
    const query = Object.fromEntries(new URL(request.url, 'http://127.0.0.1').searchParams);
    asked.push(query);
    answer(query, response, request);
  });
  const sent = ['page', 'per_page', 'cursor', 'offset', 'token'];
  const call = await httpTool({
    execution: { url: `${url}/things`, query_params: Object.fromEntries(sent.map((name) => [name, `{${name}}`])), ...execution },
    parameters: {
      max_items: integer,
      page: integer,
      per_page: integer,
      cursor: { type: 'string' },
      offset: integer,
      token: { type: 'string', auth: false },
      ...parameters,
    },
    definition: { paginate: { limit: 'max_items', ...paginate }, ...definition },
    ...(maxResponseBytes === undefined ? {} : { maxResponseBytes }),
  });
  return { call, asked };
}

/** The numbers from `start` on, `count` of them, none over `total`. */
export function numbers(start: number, count: number, total: number): number[] {
  return Array.from({ length: Math.max(0, Math.min(count, total - start + 1)) }, (_, index) => start + index);
}
