import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { after, before } from 'mocha';
import { writeFiles } from '../support/temporary.ts';
import { forFile, program, start, textOf } from './program.ts';
import { project } from './project.ts';

/** Limit of this file and of each request, in milliseconds: only for what hangs. */
const limitMs = 600_000;

const patient = { timeout: limitMs };

const token = 'the-token';
const url = 'https://tools.example/accounts/connect/0123456789abcdef';

/** A tool that works when its person has opened the page, and a plugin with a page. */
const files = {
  'toolkit.config.mjs': `import { apiVersion, defineConfig, definePlugin, standard } from '@toolkit/core';
const pages = definePlugin({ name: 'pages', apiVersion, apply({ extend }) {
  const server = extend.httpRoute({ path: '/hello/', handle: ({ path, query }) => ({ status: 200, body: [server.baseUrl(), path, query.get('q')].join(' ') }) });
} });
export default defineConfig({ plugins: [standard({ toolPaths: ['my-tools'] }), pages()] });
`,
  'my-tools/bank_log_in.yaml': `name: bank_log_in
description: Has its person log in to the bank.
execution: { type: function, code: ./log-in.mjs#logIn, timeout_ms: ${limitMs} }
`,
  'my-tools/log-in.mjs': `export async function logIn(_, { client }) {
  const answer = await client.elicitUrl?.({ message: 'Log in to the bank.', url: '${url}', elicitationId: 'login-1', holdsFor: 'the login' });
  answer?.complete();
  return answer?.action ?? 'no browser';
}
`,
};

const modes = { legacy: { mode: 'legacy' }, modern: { mode: { pin: '2026-07-28' } } } as const;

let cwd: string;
let served: string;

const transports = {
  stdio: () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', '--config', 'toolkit.config.mjs'],
      cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: cwd },
      stderr: 'ignore',
    }),
  HTTP: () => new StreamableHTTPClientTransport(new URL(served), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
};

describe('the official client that can open addresses', function () {
  this.timeout(limitMs);

  before(() =>
    forFile(async () => {
      cwd = await project();
      await writeFiles(cwd, files);
      const server = start(['mcp', '-t', 'http', '-p', '0', '--config', 'toolkit.config.mjs', '--token', token], { cwd });
      [, served = ''] = await server.waitFor(/MCP server: (\S+)\n/);
    }),
  );

  for (const [transport, open] of Object.entries(transports))
    for (const [name, versionNegotiation] of Object.entries(modes))
      describe(`in ${name} mode over ${transport}`, () => {
        const seen: unknown[] = [];
        let client: Client;

        before(async () => {
          client = new Client({ name: 'e2e', version: '1.0.0' }, { capabilities: { elicitation: { url: {} } }, versionNegotiation });
          client.setRequestHandler('elicitation/create', ({ params }) => {
            seen.push(params);
            return { action: 'accept' };
          });
          client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => void seen.push(params));
          await client.connect(open(), patient);
        });

        after(() => client.close());

        it('is asked once, and the call goes on', async () => {
          expect(textOf(await client.callTool({ name: 'bank_log_in', arguments: {} }, patient))).to.equal('accept');
          const shown = { mode: 'url', message: 'Log in to the bank.', url };
          expect(seen).to.deep.equal(name === 'legacy' ? [{ ...shown, elicitationId: 'login-1' }, { elicitationId: 'login-1' }] : [shown]);
        });
      });

  it('may get a page of a plugin from the same server without a token', async () => {
    const { origin } = new URL(served);
    const response = await fetch(`${origin}/hello/you?q=1`);
    expect([response.status, await response.text()]).to.deep.equal([200, `${origin} /hello/you 1`]);
    expect((await fetch(`${origin}/hello/you`, { method: 'POST', body: new URLSearchParams('a=1') })).status).to.equal(405);
  });
});
