import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { apiVersion, definePlugin, type ErrorDetails, type Kernel, ToolkitError } from '../../../../kernel/index.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';
import { connect } from '../support/client.ts';
import { ModernClient } from '../support/modern-client.ts';

const url = 'https://tools.example/accounts/connect/0123456789abcdef';
const command = 'toolkit auth login bank --as ann';
const openIt = `Ask the person you work for to open ${url} in a browser and log in there, then call again.`;

const ways: readonly (readonly [what: string, message: string, details: ErrorDetails, text: string])[] = [
  ['an address', 'The bank needs an account.', { url }, `The bank needs an account. ${openIt}`],
  ['a command', 'The bank needs an account.', { command }, `The bank needs an account. The person can run: ${command}`],
  [
    'both',
    'The bank needs an account.',
    { url, command },
    `The bank needs an account. ${openIt} Where the server runs, the person can also run: ${command}`,
  ],
  ['a message that has both', `Open ${url}, or run ${command}.`, { url, command }, `Open ${url}, or run ${command}.`],
  ['neither', 'The bank needs an account.', {}, 'The bank needs an account.'],
];

/** A kernel whose calls need an account. */
function withoutAccount(message: string, details: ErrorDetails): Promise<Kernel> {
  const accounts = definePlugin({
    name: 'no-account',
    apiVersion,
    apply: ({ hooks }) =>
      hooks.injectAuth.tap('no-account', () => {
        throw new ToolkitError('AUTH_REQUIRED', message, { provider: 'bank', ...details });
      }),
  })();
  return testKernel({ plugins: [accounts], tools: [echoTool()] });
}

/** Calls of clients of both eras; one of 2025-11-25 that opens addresses gets a result too, not the error -32042. */
const clients: Readonly<Record<string, (kernel: Kernel) => Promise<Readonly<Record<string, unknown>>>>> = {
  '2025-11-25': async (kernel) => (await connect(kernel)).call('echo'),
  '2025-11-25 with elicitation.url': async (kernel) => (await connect(kernel, { capabilities: { elicitation: { url: {} } } })).call('echo'),
  '2026-07-28': async (kernel) => (await ModernClient.connect(kernel)).call('echo'),
  '2026-07-28 with elicitation.url': async (kernel) =>
    (await ModernClient.connect(kernel, { capabilities: { elicitation: { url: {} } } })).call('echo'),
};

describe('a call that needs an account', () => {
  for (const [era, call] of Object.entries(clients))
    for (const [what, message, details, text] of ways)
      it(`tells a client of ${era} the way to log in: ${what}`, async () => {
        const result = (await call(await withoutAccount(message, details))) as CallToolResult;
        expect(result.isError).to.equal(true);
        expect(result.content).to.deep.equal([{ type: 'text', text: `AUTH_REQUIRED: ${text}` }]);
        expect(result._meta?.['toolkit/error']).to.include({ code: 'AUTH_REQUIRED', retryable: false, provider: 'bank', ...details });
      });
});
