import type { ServerResponse } from 'node:http';
import { json, loopback, type SeenRequest } from '../../../support/loopback.ts';
import { type CallTool, type HttpToolOptions, httpTool } from '../http-tool.ts';

/** A service that accepts work at /work, tells of it at /jobs/7, and has its result at /results/7. */
export interface Service {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** The requests in short: `POST /work`. */
  seen(): readonly string[];
}

export type Answer = (response: ServerResponse, request: SeenRequest) => void;

/** Begins a service. `jobs`: its answers for the status, one after the other; the last one is repeated. */
export async function service({
  work = accepted,
  jobs,
  result = done,
}: {
  work?: Answer;
  jobs: readonly Answer[];
  result?: Answer;
}): Promise<Service> {
  let asked = 0;
  const { url, requests } = await loopback((request, response) => {
    if (request.url.startsWith('/work')) return work(response, request);
    if (request.url.startsWith('/results/')) return result(response, request);
    const answer = jobs[Math.min(asked, jobs.length - 1)];
    asked += 1;
    answer?.(response, request);
  });
  return { url, requests, seen: () => requests.map((request) => `${request.method} ${request.url}`) };
}

export const accepted: Answer = (response) => json(response, { id: 7, status: 'queued' }, 202, { location: '/jobs/7' });
export const working: Answer = (response) => json(response, { status: 'running' }, 202);
export const done: Answer = (response) => json(response, { status: 'done', output: { pages: 3 } });

/** The tool of a service: a POST to /work, asked again each millisecond. */
export async function pollTool(
  { url }: Pick<Service, 'url'>,
  poll: object = {},
  more: Partial<Omit<HttpToolOptions, 'execution'>> & { readonly execution?: object } = {},
): Promise<CallTool> {
  const { execution = {}, definition = {}, ...rest } = more;
  return httpTool({
    ...rest,
    execution: { method: 'post', url: `${url}/work`, body: { text: 'a' }, ...execution },
    definition: { poll: { url: { header: 'Location' }, every_ms: 1, ...poll }, ...definition },
  });
}
