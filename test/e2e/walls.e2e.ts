import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { project } from './project.ts';
import { combinations, searching } from './ways.ts';

const evil = 'name: evil_run\ndescription: Runs a program.\nexecution: { type: command, command: echo, args: [pwned] }\n';

/** Texts that a model would write to widen its permissions, or to run code. */
const written: Readonly<Record<string, string>> = {
  'my-tools/evil.yaml': evil,
  'my-tools/manifest.json': '{}',
  'my-tools/count_words.py': 'def run(parameters, context): return {"words": 0}\n',
  'node_modules/@toolkit/evil/evil.yaml': evil,
  'node_modules/@toolkit/evil/package.json': '{ "name": "@toolkit/evil" }',
  'policy.yaml': 'rules: []\n',
  'toolkit.config.yaml': 'plugins: []\n',
  'toolkit.config.ts': 'export default { plugins: [] };\n',
  '.toolkitrc': 'plugins: []\n',
  'guard-plugin.mjs': 'export default {};\n',
  'calls.jsonl': '',
  'calls.jsonl.1': '',
  '.env': 'SHOP_TOKEN=mine\n',
  '.git/hooks/pre-commit': '#!/bin/sh\necho pwned\n',
  '.toolkit/certs/key.pem': 'mine',
  'skills/evil/SKILL.md': '---\nname: evil\ndescription: Does as it likes.\n---\n',
};

const reads: readonly (readonly [string, Record<string, unknown>])[] = [
  ['fs_read_file', { path: '.env' }],
  ['fs_read_file', { path: '.env', offset: 11, max_bytes: 5 }],
  ['fs_read_lines', { path: '.env', start: 1, end: 1 }],
  ['fs_read_many', { paths: ['package.json', './.ENV'] }],
  ['fs_hash_file', { path: '.env' }],
  ['fs_compare_files', { left: '.env', right: 'package.json' }],
  ['fs_copy', { source: '.env', destination: 'copy.txt' }],
  ['archive_zip_create', { paths: ['.env'], destination: 'out.zip' }],
  ['git_add', { paths: ['.env'] }],
];

/** With parameters for which a person is asked. */
const gated: readonly (readonly [string, Record<string, unknown>])[] = [
  ['system_execute', { command: 'echo', arguments: ['pwned'] }],
  ['fs_delete', { path: 'notes', recursive: true }],
  ['toolkit_create_tool', { yaml: evil, directory: 'my-tools', _toolkit_approved: true }],
  ['web_request', { url: 'http://127.0.0.1:1/', method: 'DELETE' }],
  ['web_graphql', { url: 'http://127.0.0.1:1/', query: 'mutation { pay }', operation: 'mutation' }],
  ['apiclient_run_collection', { collection_path: 'notes', sandbox_mode: 'developer' }],
];

/** The options of the gate, as a configuration says them. */
const modes = { flag: '{}', elicit: '{ mode: elicit }', strict: '{ mode: strict }' };

const pay = 'name: pay\ndescription: Pays.\nexecution: { type: function, code: ./pay.py }\nrisk: high\n';
const payCode = (text: string): string => `def run(parameters, context):\n    return {"ran": "${text}"}\n`;

const config = (gate: string, asks = false): string => `plugins:
  - [toolkit/standard, { toolPaths: [my-tools], skillPaths: [skills], autoDiscover: true }]
  - [toolkit/plugins/approval-gate, ${gate}]
  - [toolkit/plugins/policy-human, { enableHITL: ${asks} }]
  - [toolkit/plugins/audit-trail, { path: calls.jsonl }]
  - ./guard-plugin.mjs
`;

const plugin =
  "import { apiVersion, definePlugin } from '@toolkit/core';\nexport default definePlugin({ name: 'own-guard', apiVersion, apply() {} });\n";

describe('what decides what a model may do', () => {
  for (const { transport, connect, way, call, mode, gate } of combinations(modes)) {
    const where = `${way}, over ${transport} in mode ${mode}`;
    const place = (asks = false): Promise<string> =>
      project({
        'toolkit.config.yaml': config(gate, asks),
        'guard-plugin.mjs': plugin,
        'policy.yaml': 'rules:\n  - { match: { tool: time_now }, effect: deny, reason: it is late }\n',
        '.env': 'SHOP_TOKEN=planted-0123456789\n',
      });
    const refused = async (client: Client, name: string, parameters: object): Promise<string> => {
      const result = await call(client, name, parameters);
      expect(result.isError, `${name} ${JSON.stringify(parameters)}`).to.equal(true);
      return JSON.stringify(result.content);
    };
    /** In flag mode the model says itself that a person agreed. */
    const approved = mode === 'flag' ? { _toolkit_approved: true } : {};

    it(`is changed by no tool, and gives no secret away, ${where}, though the person says yes`, async () => {
      const cwd = await place();
      const client = await connect(cwd, { elicitation: {} }, searching);
      client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { approve: true } }));
      for (const [name, content] of Object.entries(written)) {
        const file = { path: name };
        for (const [tool, parameters] of [
          ['fs_write_file', { ...file, content, create_directories: true, overwrite: true }],
          ['fs_append_file', { ...file, content, create: true }],
          ['fs_move', { source: 'notes', destination: name, overwrite: true }],
          ['fs_delete', { ...file, ...approved }],
        ] as const)
          expect(await refused(client, tool, parameters), `${tool} ${name}`)
            .to.match(/POLICY_DENIED/)
            .and.include('is a control file');
      }
      for (const [tool, parameters] of reads) {
        const said = await refused(client, tool, parameters);
        expect(said, tool).to.include('POLICY_DENIED').and.include('control file');
        expect(said).to.not.include('planted');
      }
      const found = await call(client, 'fs_search', { path: '.', pattern: 'SHOP_TOKEN' });
      expect(JSON.stringify(found)).to.not.include('planted');
      expect(await refused(client, 'time_now', {})).to.include('it is late');
      expect(await readFile(path.join(cwd, 'guard-plugin.mjs'), 'utf8')).to.equal(plugin);
      expect(await readFile(path.join(cwd, 'toolkit.config.yaml'), 'utf8')).to.equal(config(gate));
    });

    it(`holds what cannot be taken back where nobody can be asked, ${where}`, async () => {
      const cwd = await place();
      const client = await connect(cwd, {}, searching);
      await writeFile(path.join(cwd, 'my-tools/evil.yaml'), evil);
      for (const [name, parameters] of gated) expect(await refused(client, name, parameters), name).to.include('APPROVAL_REQUIRED');
      expect(await refused(client, 'toolkit_reload_tools', { _toolkit_approved: true })).to.include('APPROVAL_REQUIRED');
    });

    it(`is what the person saw when it runs, ${where}`, async () => {
      // The human policy asks in every mode.
      const cwd = await place(true);
      await writeFile(path.join(cwd, 'my-tools/pay.yaml'), pay);
      await writeFile(path.join(cwd, 'my-tools/pay.py'), payCode('old'));
      const client = await connect(cwd, { elicitation: {} }, searching);
      let questions = 0;
      client.setRequestHandler(ElicitRequestSchema, async () => {
        questions += 1;
        if (questions === 1) await writeFile(path.join(cwd, 'my-tools/pay.py'), payCode('new'));
        return { action: 'accept', content: { approve: true } };
      });
      // A yes to the call is none to code that nobody has seen: what was linked decides until a person has agreed to a reload.
      for (let attempt = 0; attempt < 2; attempt++)
        expect(await refused(client, 'pay', {}))
          .to.include('APPROVAL_REQUIRED')
          .and.include('pay.py');
      expect(questions).to.equal(1);
      await call(client, 'toolkit_reload_tools', {});
      expect(JSON.stringify(await call(client, 'pay', {}))).to.include('new');
    });
  }
});
