import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Started, start } from '../../e2e/program.ts';
import { installIn } from '../../support/installed.ts';
import { temporaryFolder } from '../../support/temporary.ts';

export const token = 'token-of-the-replicas';
const key = 'a key of thirty-two bytes or more, of all replicas';

/** Its tools tell the world of the test what they do, and wait for it. */
const config = `
import { apiVersion, approvalGate, definePlugin, mcp, standard } from '@toolkit/core';
import { storePostgres } from '@toolkit/core/plugins/store-postgres';

const world = process.env.WORLD;
const tell = (path, body) => fetch(world + path, { method: 'POST', body });
const wait = async (path, signal) => (await fetch(world + path, { signal })).text();
const text = { key: { type: 'string', required: true } };
const tool = (name, handler, more = {}) => ({
  name, description: 'Does it.', parameters: text, risk: 'low', execution: { type: 'function', handler }, ...more,
});
const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

const tools = definePlugin({
  name: 'replica-tools',
  apiVersion,
  apply: ({ hooks }) => hooks.discover.tap('replica-tools', (sink) => {
    sink.addTool(tool('plain', ({ key }) => 'plain ' + key));
    sink.addTool(tool('steps', async ({ key }, { progress, signal }) => {
      for (let step = 1; step <= 3; step++) progress({ progress: step });
      if (key.startsWith('/')) await wait(key, signal);
      progress({ progress: 4 });
      return 'steps ' + key;
    }));
    sink.addTool(tool('ask', async ({ key }, { client }) => {
      const { action, content } = await client.elicit({ message: key, schema });
      return action + ' ' + content?.name;
    }));
    sink.addTool(tool('hold', ({ key }, { signal }) => wait(key, signal)));
    sink.addTool(tool('act', async ({ key }) => { await tell('/acted' + key, ''); return 'acted ' + key; }, { requires_approval: true }));
  }),
})();

export default {
  plugins: [
    standard(),
    storePostgres(),
    // The proxies of tests ask a hundred times a second whether it is ready.
    mcp({ shutdownDelayMs: 2000 }),
    tools,
    approvalGate({
      mode: 'strict',
      key: process.env.TOOLKIT_KEY,
      onApproval: async ({ token, parameters }) => void (await tell('/token' + parameters.key, token())),
    }),
  ],
};
`;

export interface Replica {
  readonly port: number;
  readonly server: Started;
}

/** Server processes of one configuration and one store. */
export class Replicas {
  readonly #cwd: string;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(cwd: string, env: Readonly<Record<string, string>>) {
    this.#cwd = cwd;
    this.#env = env;
  }

  static async make(storeUrl: string, worldUrl: string): Promise<Replicas> {
    const cwd = await temporaryFolder({ 'package.json': '{ "name": "replicas", "type": "module" }' });
    await installIn(cwd);
    await writeFile(path.join(cwd, 'toolkit.config.js'), config);
    return new Replicas(cwd, { TOOLKIT_STORE_URL: storeUrl, TOOLKIT_KEY: key, TOOLKIT_MCP_TOKEN: token, WORLD: worldUrl });
  }

  async start(): Promise<Replica> {
    // Each as on a machine of its own: they have nothing in common but the key and the store.
    const state = await temporaryFolder();
    await rm(state, { recursive: true, force: true });
    const args = ['mcp', '-t', 'http', '-p', '0', '--config', 'toolkit.config.js'];
    const server = start(args, { cwd: this.#cwd, env: { ...this.#env, XDG_STATE_HOME: state } });
    const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
    return { server, port: Number(new URL(url).port) };
  }
}
