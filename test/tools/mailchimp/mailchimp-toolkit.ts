import type { ServerResponse } from 'node:http';
import type { SeenRequest } from '../../support/loopback.ts';
import { type PackServer, packAgainst } from '../packs.ts';

export const apiKey = '0123456789abcdef0123456789abcdef-us21';

/** The package against a stand-in for the data centre of the key. */
export function mailchimpToolkit(answer: (request: SeenRequest, response: ServerResponse) => void): Promise<PackServer> {
  return packAgainst('mailchimp', answer, { env: { MAILCHIMP_API_KEY: apiKey } });
}

export function basic(key: string): string {
  return `Basic ${Buffer.from(`anystring:${key}`).toString('base64')}`;
}
