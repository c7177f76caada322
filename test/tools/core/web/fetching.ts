import type { ServerResponse } from 'node:http';
import type { CallRequest } from '../../../../kernel/index.ts';
import { coreGroup } from '../../../support/core-group.ts';

const { sharedCoreToolkit } = coreGroup('web');

/** The output of web_fetch. */
export interface Fetched {
  readonly url: string;
  readonly status: number;
  readonly content_type: string;
  readonly content: string;
  readonly title: string | null;
  readonly truncated: boolean;
}

/** Calls web_fetch in a Toolkit whose tools may reach 127.0.0.1. */
export async function fetchPage(
  url: string,
  more: Readonly<Record<string, unknown>> = {},
  options: Omit<CallRequest, 'tool' | 'parameters'> = {},
): Promise<Fetched> {
  const toolkit = await sharedCoreToolkit({ allowHosts: ['127.0.0.1'] });
  return (await toolkit.execute('web_fetch', { url, ...more }, options)) as unknown as Fetched;
}

/** Answers with a body of this Content-Type; of none when it is empty. */
export function send(response: ServerResponse, body: string | Uint8Array, contentType = 'text/html; charset=utf-8', status = 200): void {
  response.writeHead(status, contentType === '' ? {} : { 'content-type': contentType }).end(body);
}
