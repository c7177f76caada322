import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import type { Toolkit } from '../../../plugins/toolkit/toolkit.ts';
import { json, loopback, type SeenRequest } from '../../support/loopback.ts';
import { packToolkit } from '../packs.ts';

export const key = 'ntn_0123456789abcdefghijABCDEFGHIJ';

export interface NotionAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The package against a Notion that answers each request, counted from 0, as told. */
export async function notionPack(
  answer: (request: SeenRequest, number: number) => NotionAnswer,
): Promise<{ readonly toolkit: Toolkit; readonly requests: readonly SeenRequest[]; readonly logger: ReturnType<typeof memoryLogger> }> {
  let number = 0;
  const { url, requests } = await loopback((request, response) => {
    const { status, headers, body } = answer(request, number++);
    json(response, body, status, headers);
  });
  const logger = memoryLogger();
  return { toolkit: await packToolkit('notion', { baseUrl: url, env: { NOTION_API_KEY: key }, logger }), requests, logger };
}
