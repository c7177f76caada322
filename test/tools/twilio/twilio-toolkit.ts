import type { ServerResponse } from 'node:http';
import type { Logger } from '../../../kernel/index.ts';
import { secretsEnv, type Toolkit } from '../../../plugins/toolkit/index.ts';
import { coreToolkit } from '../../support/core-toolkit.ts';
import { loopback, type SeenRequest } from '../../support/loopback.ts';
import { packFolder } from '../packs.ts';

export const accountSid = 'AC0123456789abcdef0123456789abcdef';
export const authToken = 'not-a-real-token-0123456789abcdef';
export const credentials = { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken };
export const messagesPath = `/2010-04-01/Accounts/${accountSid}/Messages.json`;

interface Options {
  /** What the environment holds. @default the account and its token */
  readonly env?: Readonly<Record<string, string>>;
  readonly logger?: Logger;
}

/** The package against a stand-in for Twilio. */
export async function twilioToolkit(
  answer: (request: SeenRequest, response: ServerResponse) => void,
  { env = credentials, ...options }: Options = {},
): Promise<{ readonly toolkit: Toolkit; readonly requests: SeenRequest[] }> {
  const { url, requests } = await loopback(answer);
  const toolkit = await coreToolkit({
    autoDiscover: false,
    includeCore: false,
    toolPaths: [packFolder('twilio')],
    providers: { twilio: { base_url: url } },
    plugins: [secretsEnv({ env: { ...env } })],
    ...options,
  });
  return { toolkit, requests };
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
