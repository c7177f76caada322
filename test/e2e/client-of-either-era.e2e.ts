import { cp } from 'node:fs/promises';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { after, before } from 'mocha';
import { loopbackServer } from '../support/loopback.ts';
import { writeFiles } from '../support/temporary.ts';
import { forFile, program, start, textOf } from './program.ts';
import { project } from './project.ts';

/** Limit of this file and of each request, in milliseconds: only for what hangs. The client's own limit of a minute is too short for a start under load. */
const limitMs = 600_000;

const patient = { timeout: limitMs };

const token = 'the-token';
const plugin = 'toolkit-plugin-conformance';

/**
 * A tool that goes on when the client has heard of each step: it asks the test for each, which answers then. The client drops what it reads of progress
 * together with the answer, so that a tool which only takes its time proves nothing where this process is kept waiting.
 */
const heardTool = {
  'toolkit.config.yaml': `plugins:\n  - [toolkit/standard, { toolPaths: [my-tools] }]\n  - ${plugin}\n`,
  'my-tools/until_heard.yaml': `name: until_heard
description: Tells three times how far it is, and goes on when that was heard.
parameters: { listener: { type: string, required: true, description: The URL of the one who hears it. } }
execution: { type: function, code: ./until-heard.mjs#untilHeard, timeout_ms: ${limitMs} }
`,
  'my-tools/until-heard.mjs': `export async function untilHeard({ listener }, { progress, signal }) {
  for (const step of [0, 50, 100]) {
    progress({ progress: step, total: 100 });
    await (await fetch(listener + '/' + step, { signal })).text();
  }
  return 'The work is done.';
}
`,
};

/** How the client finds out of which era the server is, and what it comes to. */
const modes = {
  legacy: { mode: 'legacy', version: '2025-11-25' },
  automatic: { mode: 'auto', version: '2026-07-28' },
  pinned: { mode: { pin: '2026-07-28' }, version: '2026-07-28' },
} as const;

let cwd: string;
let url: string;

const transports = {
  stdio: () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', '--config', 'toolkit.config.yaml'],
      cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: cwd },
      stderr: 'ignore',
    }),
  HTTP: () => new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
};

describe('the official client of either era', function () {
  this.timeout(limitMs);

  before(() =>
    forFile(async () => {
      cwd = await project();
      await cp(path.resolve('fixtures/configs/conformance'), cwd, { recursive: true });
      await writeFiles(cwd, heardTool);
      await cp(path.resolve('fixtures/plugins', plugin), path.join(cwd, 'node_modules', plugin), { recursive: true });
      const server = start(['mcp', '-t', 'http', '-p', '0', '--config', 'toolkit.config.yaml', '--token', token], { cwd });
      [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
    }),
  );

  for (const [transport, open] of Object.entries(transports))
    for (const [name, { mode, version }] of Object.entries(modes))
      describe(`in ${name} mode over ${transport}`, () => {
        let client: Client;

        before(async () => {
          const capabilities = { elicitation: { form: {} } };
          client = new Client({ name: 'e2e', version: '1.0.0' }, { capabilities, versionNegotiation: { mode } });
          client.setRequestHandler('elicitation/create', () => ({ action: 'accept' as const, content: { name: 'Ada' } }));
          await client.connect(open(), patient);
        });

        after(() => client.close());

        it(`speaks ${version}`, () => {
          expect(client.getNegotiatedProtocolVersion()).to.equal(version);
          expect(client.getInstructions()).to.include('skill://');
        });

        it('lists and calls tools', async () => {
          const { tools } = await client.listTools(undefined, patient);
          expect(tools.map((tool) => tool.name)).to.include('test_simple_text');
          expect(textOf(await client.callTool({ name: 'test_simple_text', arguments: {} }, patient))).to.include('simple text');
        });

        it('hears of progress', async () => {
          const heard: number[] = [];
          const waiting = new Map<number, () => void>();
          const listener = await loopbackServer(({ url: asked = '' }, _body, response) => {
            const step = Number(asked.slice(1));
            const goOn = (): void => void response.end();
            if (heard.includes(step)) goOn();
            else waiting.set(step, goOn);
          });
          const onprogress = ({ progress }: { progress: number }): void => {
            heard.push(progress);
            waiting.get(progress)?.();
          };
          const result = await client.callTool({ name: 'until_heard', arguments: { listener } }, { onprogress, ...patient });
          expect(textOf(result)).to.equal('The work is done.');
          expect(heard).to.deep.equal([0, 50, 100]);
        });

        it('answers questions', async () => {
          const result = await client.callTool({ name: 'test_input_required_result_elicitation', arguments: {} }, patient);
          expect(textOf(result)).to.equal('Hello, Ada!');
        });

        it('reads resources and prompts', async () => {
          const { resources } = await client.listResources(undefined, patient);
          expect(resources.map(({ uri }) => uri)).to.include('test://static-text');
          expect((await client.readResource({ uri: 'test://static-text' }, patient)).contents).to.have.length(1);
          const { prompts } = await client.listPrompts(undefined, patient);
          expect(prompts.map((prompt) => prompt.name)).to.include('test_simple_prompt');
          expect((await client.getPrompt({ name: 'test_simple_prompt' }, patient)).messages).to.have.length(1);
        });

        it('is told why a resource cannot be read', async () => {
          const error = await client.readResource({ uri: 'test://none' }, patient).then(
            () => undefined,
            (thrown: { code: number }) => thrown.code,
          );
          expect(error).to.be.oneOf([-32602, -32002]);
        });
      });
});
