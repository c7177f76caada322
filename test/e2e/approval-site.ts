import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { metaKeys } from '../../plugins/mcp/protocol/clients/envelope.ts';
import { modernRequest } from '../plugins/mcp/support/modern-wire.ts';
import { type Message, messagesOf, send, token } from '../plugins/mcp/support/wire.ts';
import { installIn } from '../support/installed.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type Started, start } from './program.ts';

export const yes = { action: 'accept', content: { approve: true } };
export const stranger = 'a-token-of-somebody-else';

/** Returns the code of a tool that appends one letter to this file for each run. */
export const act = (execution: string, more = ''): string =>
  `name: act\ndescription: Acts.\nparameters:\n  to: { type: string, description: For whom. }\nrequires_approval: true\nexecution: ${execution}\n${more}`;

export const script = '#!/bin/sh\nprintf x >> ran\necho done\n';
export const gate = (mode: string): string => `import { appendFileSync } from 'node:fs';
import { approvalGate, defineConfig, mcp, policyHuman, standard } from '@toolkit/core';
const onApproval = (request) => void appendFileSync('tokens', request.token?.() + '\\n');
export default defineConfig({ plugins: [
  standard({ toolPaths: ['tools'], includeCore: ${mode.includes('core')}, autoDiscover: false, allowHosts: ['127.0.0.1'] }),
  approvalGate(${mode.startsWith('strict') ? "{ mode: 'strict', key: 'a key of thirty-two bytes or more', onApproval }" : `{ mode: '${mode.split(' ')[0]}' }`}),
  policyHuman({ enableHITL: ${mode.includes('human')}, hitlMinRiskLevel: 'low' }),
  mcp({ tokens: [{ name: 'stranger', token: '${stranger}' }] }),
] });
`;

export type Files = Readonly<Record<string, string>>;

export interface Asked {
  readonly requestState: string;
  readonly inputResponses: Readonly<Record<string, unknown>>;
}

export interface CallOptions {
  readonly name?: string;
  readonly parameters?: object;
  readonly asked?: Asked;
  readonly as?: string;
}

/** Servers of one project and one key. */
export class Site {
  readonly cwd: string;
  readonly #state: string;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(cwd: string, state: string, env: Readonly<Record<string, string>>) {
    this.cwd = cwd;
    this.#state = state;
    this.#env = env;
  }

  static async with(
    files: Files,
    { mode = 'elicit', env = {} }: { readonly mode?: string; readonly env?: Readonly<Record<string, string>> } = {},
  ) {
    const cwd = await temporaryFolder({ 'package.json': '{ "type": "module" }', 'toolkit.config.js': gate(mode) });
    await installIn(cwd);
    await mkdir(path.join(cwd, 'bin'));
    await mkdir(path.join(cwd, 'first'));
    const site = new Site(cwd, await temporaryFolder(), env);
    await site.write(files);
    return site;
  }

  async write(files: Files): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(this.cwd, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
      await chmod(file, 0o755);
    }
  }

  /** Keeps what there is now; what it gives puts it back, whatever was changed meanwhile. */
  async keep(): Promise<() => Promise<void>> {
    const kept = await temporaryFolder();
    const places = [this.cwd, this.#state].map((place, index) => [place, path.join(kept, String(index))] as const);
    const copy = (from: string, to: string) => cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    for (const [place, copied] of places) await copy(place, copied);
    return async () => {
      for (const [place, copied] of places) {
        await rm(place, { recursive: true });
        await copy(copied, place);
      }
    };
  }

  get keyFile(): string {
    return path.join(this.#state, 'toolkit/keys/key');
  }

  async open(env: Readonly<Record<string, string>> = {}): Promise<Process> {
    const PATH = [path.join(this.cwd, 'first'), path.join(this.cwd, 'bin'), process.env['PATH']].join(path.delimiter);
    const own = { TOOLKIT_MCP_TOKEN: token, XDG_STATE_HOME: this.#state, PATH, ...this.#env, ...env };
    const server = start(['mcp', '-t', 'http', '-p', '0'], { cwd: this.cwd, env: own });
    const [, port = ''] = await server.waitFor(/MCP server: http:\/\/127\.0\.0\.1:(\d+)/);
    return new Process(server, Number(port));
  }

  /** How often the tool has run. */
  async runs(): Promise<number> {
    return (await readFile(path.join(this.cwd, 'ran'), 'utf8').catch(() => '')).length;
  }
}

/** One server, and clients of it that say for themselves who they are. */
export class Process {
  readonly server: Started;
  readonly port: number;

  constructor(server: Started, port: number) {
    this.server = server;
    this.port = port;
  }

  async kill(): Promise<void> {
    this.server.child.kill('SIGKILL');
    await this.server.exit;
  }

  async call({ name = 'act', parameters = { to: 'Ada' }, asked, as = token }: CallOptions = {}): Promise<Message> {
    const request = modernRequest({
      method: 'tools/call',
      params: { name, arguments: parameters, ...asked },
      headers: { authorization: `Bearer ${as}` },
      meta: { [metaKeys.capabilities]: { elicitation: {} } },
    });
    return messagesOf(await send(this.port, request)).at(-1) as Message;
  }

  /** Asks for approval, and returns what a client then needs for the call. */
  async ask(options: CallOptions = {}): Promise<Asked> {
    const { result, error } = await this.call(options);
    expect(result?.['resultType'], JSON.stringify(result ?? error)).to.equal('input_required');
    const { requestState, inputRequests } = result as { requestState: string; inputRequests: object };
    return { requestState, inputResponses: Object.fromEntries(Object.keys(inputRequests).map((name) => [name, yes])) };
  }
}
