import type { ServerResponse } from 'node:http';
import type { Logger } from '../../../kernel/index.ts';
import { secretsEnv, type Toolkit } from '../../../plugins/toolkit/index.ts';
import { coreToolkit } from '../../support/core-toolkit.ts';
import { loopback, type SeenRequest } from '../../support/loopback.ts';
import { packFolder } from '../packs.ts';

export const apiKey = '0123456789abcdef0123456789abcdef-us21';

/** The package against a stand-in for the data centre of the key. */
export async function mailchimpToolkit(
  answer: (request: SeenRequest, response: ServerResponse) => void,
  options: { readonly logger?: Logger } = {},
): Promise<{ readonly toolkit: Toolkit; readonly requests: SeenRequest[] }> {
  const { url, requests } = await loopback(answer);
  const toolkit = await coreToolkit({
    autoDiscover: false,
    includeCore: false,
    toolPaths: [packFolder('mailchimp')],
    providers: { mailchimp: { base_url: `${url}/3.0` } },
    plugins: [secretsEnv({ env: { MAILCHIMP_API_KEY: apiKey } })],
    ...options,
  });
  return { toolkit, requests };
}

export function basic(key: string): string {
  return `Basic ${Buffer.from(`anystring:${key}`).toString('base64')}`;
}
