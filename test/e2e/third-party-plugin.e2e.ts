import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { stdioClient } from './program.ts';
import { project } from './project.ts';

const configurations = {
  'toolkit.config.yaml': `plugins:
  - [toolkit-plugin-trace, { path: trace.txt }]
  - [toolkit/standard, { toolPaths: [my-tools], includeCore: false, autoDiscover: false }]
`,
  'toolkit.config.json': JSON.stringify({
    plugins: [
      ['toolkit-plugin-trace', { path: 'trace.txt' }],
      ['toolkit/plugins/tool-files', { toolPaths: ['my-tools'] }],
      'toolkit/plugins/secrets-env',
      'toolkit/plugins/credentials-placeholder',
      'toolkit/plugins/approval-gate',
      'toolkit/plugins/executor-function',
      'toolkit/plugins/executor-command',
      'toolkit/plugins/validate-output',
    ],
  }),
  'toolkit.config.ts': `import { defineConfig, standard } from '@toolkit/core';
import trace from 'toolkit-plugin-trace';

const path: string = 'trace.txt';
export default defineConfig({
  plugins: [trace({ path }), standard({ toolPaths: ['my-tools'], includeCore: false, autoDiscover: false })],
});
`,
};

describe('a third-party plugin, loaded by its module name', () => {
  for (const [file, text] of Object.entries(configurations)) {
    it(`taps every hook and sees them in order when ${file} lists it`, async () => {
      const cwd = await project({ [file]: text });
      const { client, end } = await stdioClient([], { cwd, env: { VAULT_PASSWORD: 'open sesame' } });
      const { tools } = await client.listTools();
      // Where the configuration lists the plugin that keeps outputs, what reads them is there as well.
      const names = tools.map(({ name }) => name).filter((name) => name !== 'toolkit_get_output');
      expect(names).to.deep.equal(['chatter', 'count_words', 'nap', 'open_vault']);
      const opened = await client.callTool({ name: 'open_vault', arguments: { _toolkit_approved: true } });
      expect(opened.structuredContent).to.deep.equal({ password_length: 11 });
      await end();
      const lines = (await readFile(path.join(cwd, 'trace.txt'), 'utf8')).trim().split('\n');
      const start = ['discover', 'resolveSecrets', 'serve'];
      const call = ['injectAuth', 'beforeExecute', 'approve', 'execute', 'validateOutput', 'settled'].map((hook) => `${hook} open_vault`);
      expect(lines).to.deep.equal([...start, ...call, 'dispose']);
    });
  }
});
