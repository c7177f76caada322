import { json, type SeenRequest } from '../../support/loopback.ts';
import { type PackServer, packAgainst } from '../packs.ts';

export const key = 'ntn_0123456789abcdefghijABCDEFGHIJ';

export interface NotionAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The package against a Notion that answers each request, counted from 0, as told. */
export function notionPack(answer: (request: SeenRequest, number: number) => NotionAnswer): Promise<PackServer> {
  let number = 0;
  return packAgainst(
    'notion',
    (request, response) => {
      const { status, headers, body } = answer(request, number++);
      json(response, body, status, headers);
    },
    { env: { NOTION_API_KEY: key } },
  );
}
