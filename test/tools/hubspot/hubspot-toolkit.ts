import type { ServerResponse } from 'node:http';
import { json, type SeenRequest } from '../../support/loopback.ts';
import { type PackServer, packAgainst } from '../packs.ts';

export const token = 'pat-na1-00000000-1111-2222-3333-444444444444';

export interface CrmRecord {
  readonly id: string;
  readonly properties: Readonly<Record<string, string | null>>;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archived: boolean;
}

export function record(id: string, properties: Readonly<Record<string, string | null>> = {}): CrmRecord {
  return {
    id,
    properties: { hs_object_id: id, ...properties },
    createdAt: '2025-06-02T08:15:00.000Z',
    updatedAt: '2025-11-20T10:30:00.000Z',
    archived: false,
  };
}

/** The package with a token, against a server that answers so; without `answer` every request gets one record. */
export function hubspotToolkit(
  answer: (request: SeenRequest, response: ServerResponse) => void = (_request, response) => json(response, record('51')),
): Promise<PackServer> {
  return packAgainst('hubspot', answer, { env: { HUBSPOT_ACCESS_TOKEN: token } });
}
