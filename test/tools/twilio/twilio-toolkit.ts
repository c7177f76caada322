import type { ServerResponse } from 'node:http';
import type { SeenRequest } from '../../support/loopback.ts';
import { type PackServer, type PackServerOptions, packAgainst } from '../packs.ts';

export const accountSid = 'AC0123456789abcdef0123456789abcdef';
export const authToken = 'not-a-real-token-0123456789abcdef';
export const credentials = { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken };
export const messagesPath = `/2010-04-01/Accounts/${accountSid}/Messages.json`;

/** The package against a stand-in for Twilio, without a number that sends. */
export function twilioToolkit(
  answer: (request: SeenRequest, response: ServerResponse) => void,
  options: PackServerOptions = {},
): Promise<PackServer> {
  return packAgainst('twilio', answer, { env: credentials, ...options });
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
