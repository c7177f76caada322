import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { start, stdioClient, textOf } from '../program.ts';

const held = (value: string): string => `export const held = '${value}';\n`;

const handler = "import { held } from '../lib/held.mjs';\nexport const run = () => held;\n";

const python = `import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
import held


def run(parameters, context):
    return held.VALUE
`;

const tool = (name: string, code: string): string =>
  `name: ${name}\ndescription: Says what it holds.\nexecution: { type: function, code: "${code}" }\nrisk: low\n`;

interface Project {
  readonly cwd: string;
  readonly lib: string;
  serve(answer?: ElicitResult): Promise<Client>;
  toolkit(...args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }>;
}

async function project(): Promise<Project> {
  const state = await temporaryFolder();
  const cwd = await temporaryFolder({
    'toolkit.config.yaml':
      'plugins:\n  - [toolkit/standard, { toolPaths: [tools], autoDiscover: false }]\n  - [toolkit/plugins/approval-gate, { mode: elicit }]\n',
    'tools/js.yaml': tool('js_value', './hand.mjs#run'),
    'tools/hand.mjs': handler,
    'lib/held.mjs': held('good'),
    'tools/py.yaml': tool('py_value', './hand.py#run'),
    'tools/hand.py': python,
    'lib/held.py': 'VALUE = "good"\n',
  });
  const env = { XDG_STATE_HOME: state };
  return {
    cwd,
    lib: path.join(cwd, 'lib/held.mjs'),
    serve: async (answer = { action: 'decline' }) => {
      const { client } = await stdioClient([], { cwd, env, capabilities: { elicitation: {} } });
      client.setRequestHandler(ElicitRequestSchema, () => answer);
      return client;
    },
    toolkit: async (...args) => {
      const { exit, stdout, stderr } = start(args, { cwd, env });
      const { code } = await exit;
      return { code, stdout: stdout(), stderr: stderr() };
    },
  };
}

const call = (client: Client, name: string, parameters: object = {}) => client.callTool({ name, arguments: { ...parameters } });

async function said(client: Client, name: string): Promise<string> {
  return textOf(await call(client, name));
}

async function refused(client: Client, name: string): Promise<string> {
  const result = (await call(client, name)) as { isError?: boolean };
  expect(result.isError).to.equal(true);
  return JSON.stringify(result);
}

async function modelWrites(client: Client, file: string, content: string): Promise<void> {
  textOf(await call(client, 'fs_write_file', { path: file, content, overwrite: true }));
}

describe('toolkit tools accept', () => {
  it('makes callable what a model wrote, which is withheld until then, also by a restart', async () => {
    const { lib, serve, toolkit } = await project();
    await modelWrites(await serve(), lib, held('new'));
    const restarted = await serve();
    expect(await refused(restarted, 'js_value'))
      .to.include('APPROVAL_REQUIRED')
      .and.include('held.mjs')
      .and.include('toolkit tools accept js_value');
    const pending = await toolkit('tools', 'pending', '--json');
    expect(JSON.parse(pending.stdout), pending.stderr).to.deep.equal([
      { change: 'withheld', kind: 'tool', name: 'js_value', risk: 'low', file: lib },
    ]);
    const accepted = await toolkit('tools', 'accept');
    expect(accepted.code, accepted.stderr).to.equal(0);
    expect(accepted.stdout)
      .to.match(/^Accepted as it is now:\n/)
      .and.include(lib);
    expect(await said(restarted, 'js_value')).to.equal('new');
    expect(await said(await serve(), 'js_value')).to.equal('new');
    expect((await toolkit('tools', 'accept')).stdout).to.equal('Nothing is withheld.\n');
  });

  it('takes names of tools, and refuses those that are none', async () => {
    const { cwd, lib, serve, toolkit } = await project();
    const server = await serve();
    await modelWrites(server, lib, held('new'));
    await modelWrites(server, path.join(cwd, 'lib/held.py'), 'VALUE = "new"\n');
    expect((await toolkit('tools', 'accept', 'py_value')).code).to.equal(0);
    const restarted = await serve();
    expect(await said(restarted, 'py_value')).to.equal('new');
    expect(await refused(restarted, 'js_value')).to.include('held.mjs');
    const unknown = await toolkit('tools', 'accept', 'js_valu');
    expect(unknown.code).to.equal(2);
    expect(unknown.stderr).to.include('Nothing named "js_valu" is here or withheld').and.include('Did you mean "js_value"?');
  });

  it('is not needed for what the operator writes before a start', async () => {
    const { lib, serve } = await project();
    await serve();
    await writeFile(lib, held('edited'));
    expect(await said(await serve(), 'js_value')).to.equal('edited');
  });

  it('does not count for other content', async () => {
    const { lib, serve, toolkit } = await project();
    const server = await serve();
    await modelWrites(server, lib, held('new'));
    await toolkit('tools', 'accept');
    await modelWrites(server, lib, held('newer'));
    expect(await refused(server, 'js_value')).to.include('held.mjs');
    expect(await refused(await serve(), 'js_value')).to.include('held.mjs');
  });

  it('is not needed where a person agrees to a reload, after which the new code runs, and after a restart', async () => {
    const { cwd, lib, serve } = await project();
    const server = await serve({ action: 'accept', content: { approve: true } });
    expect([await said(server, 'js_value'), await said(server, 'py_value')]).to.deep.equal(['good', 'good']);
    await modelWrites(server, lib, held('new'));
    await modelWrites(server, path.join(cwd, 'lib/held.py'), 'VALUE = "new"\n');
    await refused(server, 'js_value');
    textOf(await call(server, 'toolkit_reload_tools'));
    expect([await said(server, 'js_value'), await said(server, 'py_value')]).to.deep.equal(['new', 'new']);
    expect(await said(await serve(), 'js_value')).to.equal('new');
  });

  it('has not happened where nobody agrees to a reload', async () => {
    const { lib, serve } = await project();
    const server = await serve();
    await modelWrites(server, lib, held('new'));
    expect(JSON.stringify(await call(server, 'toolkit_reload_tools'))).to.include('APPROVAL_DENIED');
    await refused(server, 'js_value');
    expect(await readFile(lib, 'utf8')).to.equal(held('new'));
  });
});
