import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { stdioClient } from './program.ts';
import { project } from './project.ts';

const configurations = {
  'toolkit.config.yaml':
    'plugins:\n  - [toolkit-plugin-trace, { path: trace.txt }]\n  - [toolkit/plugins/tool-files, { toolPaths: [my-tools] }]\n  - toolkit/plugins/executor-function\n  - toolkit/plugins/executor-command\n  - toolkit/plugins/validate-output\n',
  'toolkit.config.ts': `import { defineConfig, executorCommand, executorFunction, toolFiles, validateOutput } from 'toolkit';
import trace from 'toolkit-plugin-trace';

const path: string = 'trace.txt';
export default defineConfig({
  plugins: [trace({ path }), toolFiles({ toolPaths: ['my-tools'] }), executorFunction(), executorCommand(), validateOutput()],
});
`,
};

describe('a third-party plugin, loaded by its module name', function () {
  this.timeout(60_000);

  for (const [file, text] of Object.entries(configurations)) {
    it(`sees every hook in order when ${file} lists it`, async () => {
      const cwd = await project({ [file]: text });
      const { client } = await stdioClient([], { cwd });
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).to.deep.equal(['chatter', 'count_words', 'nap']);
      await client.callTool({ name: 'chatter', arguments: {} });
      await client.close();
      const lines = (await readFile(path.join(cwd, 'trace.txt'), 'utf8')).trim().split('\n');
      const call = ['injectAuth chatter', 'beforeExecute chatter', 'execute chatter', 'validateOutput chatter', 'settled chatter'];
      expect(lines).to.deep.equal(['discover', 'serve', ...call, 'dispose']);
    });
  }
});
