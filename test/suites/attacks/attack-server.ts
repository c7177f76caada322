import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type ElicitRequest, ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { forFile, httpClient, start, stdioClient } from '../../e2e/program.ts';
import { project } from '../../e2e/project.ts';

/** The mode of the approval gate. */
export type Mode = 'flag' | 'elicit' | 'strict';

export type Transport = 'stdio' | 'HTTP';

/** A person's answer to a question of the server. */
export type Answer = (request: ElicitRequest) => ElicitResult | Promise<ElicitResult>;

/** The end of one call, as a model sees it. */
export interface ModelResult {
  readonly isError: boolean;
  /** The error code, such as `POLICY_DENIED`; undefined for a result. */
  readonly code: string | undefined;
  /** The whole result as JSON, so that a test can look for what must not be in it. */
  readonly text: string;
}

export const yes: Answer = () => ({ action: 'accept', content: { approve: true } });

const options: Readonly<Record<Mode, string>> = { flag: '{}', elicit: '{ mode: elicit }', strict: '{ mode: strict }' };

/** A configuration with the gate in a mode. `plugins` are further lines of its list. */
export function configuration(mode: Mode, plugins: readonly string[] = []): string {
  const lines = [
    '[toolkit/standard, { toolPaths: [my-tools], skillPaths: [skills], autoDiscover: true }]',
    `[toolkit/plugins/approval-gate, ${options[mode]}]`,
    ...plugins,
  ];
  return `plugins:\n${lines.map((line) => `  - ${line}\n`).join('')}`;
}

/** A running server in one mode, reached over one transport, with the project that it serves. */
export class AttackServer {
  readonly cwd: string;
  readonly mode: Mode;
  readonly transport: Transport;
  readonly pid: number;
  readonly client: Client;
  /** Its URL and token, over HTTP. */
  readonly url: string;
  readonly #connect: () => Promise<Client>;
  #answer: Answer = () => ({ action: 'decline' });

  private constructor(where: Where, pid: number, client: Client, url: string, connect: () => Promise<Client>) {
    this.cwd = where.cwd;
    this.mode = where.mode;
    this.transport = where.transport;
    this.pid = pid;
    this.client = this.#listen(client);
    this.url = url;
    this.#connect = connect;
  }

  /** Starts a server that ends after the test, or with `forFile` after the file. */
  static async start(where: Where): Promise<AttackServer> {
    const { cwd, env = {} } = where;
    const args = ['--expose', 'search'];
    const capabilities = { elicitation: {} };
    if (where.transport === 'stdio') {
      const { client, transport } = await stdioClient(args, { cwd, env, capabilities });
      const only = (): Promise<never> => Promise.reject(new Error('a server over stdio has one client'));
      return new AttackServer(where, transport.pid ?? 0, client, '', only);
    }
    const server = start(['mcp', '--transport', 'http', '--port', '0', '--token', token, ...args], { cwd, env });
    const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
    const connect = (): Promise<Client> => httpClient(url, token, capabilities);
    return new AttackServer(where, server.child.pid ?? 0, await connect(), url, connect);
  }

  /** Calls a tool by its name. */
  call(name: string, parameters: object = {}, client = this.client): Promise<ModelResult> {
    return resultOf(client.callTool({ name, arguments: { ...parameters } }));
  }

  /** Calls a tool as a model does that says that a person agreed, which counts in flag mode alone. */
  callApproved(name: string, parameters: object = {}): Promise<ModelResult> {
    return this.call(name, this.mode === 'flag' ? { ...parameters, _toolkit_approved: true } : parameters);
  }

  /** The person answers so from now on, at every client. The first answer is no. */
  answer(answer: Answer): void {
    this.#answer = answer;
  }

  /** A second client, over HTTP alone; it ends after the test. */
  async other(): Promise<Client> {
    return this.#listen(await this.#connect());
  }

  /** A server of the same kind on another project, which ends after the test: for attacks that begin at a start. */
  async own(files: Readonly<Record<string, string>>, plugins: readonly string[] = []): Promise<AttackServer> {
    const cwd = await project({ 'toolkit.config.yaml': configuration(this.mode, plugins), ...files });
    return AttackServer.start({ cwd, mode: this.mode, transport: this.transport });
  }

  /** Starts a server on the same project again, beside this one. */
  again(): Promise<AttackServer> {
    return AttackServer.start({ cwd: this.cwd, mode: this.mode, transport: this.transport });
  }

  #listen(client: Client): Client {
    client.setRequestHandler(ElicitRequestSchema, (request) => this.#answer(request));
    return client;
  }
}

export interface Where {
  readonly cwd: string;
  readonly mode: Mode;
  readonly transport: Transport;
  readonly env?: Readonly<Record<string, string>>;
}

export const token = 'the-token';

/** The server for one mode and transport that all attacks of a file share. */
export function sharedServer(files: Readonly<Record<string, string>>, where: Omit<Where, 'cwd'>): Promise<AttackServer> {
  return forFile(async () => {
    const cwd = await project({ 'toolkit.config.yaml': configuration(where.mode), ...files });
    return AttackServer.start({ ...where, cwd });
  });
}

async function resultOf(calling: ReturnType<Client['callTool']>): Promise<ModelResult> {
  const result = await calling;
  const { code } = (result._meta as { 'toolkit/error'?: { code?: string } } | undefined)?.['toolkit/error'] ?? {};
  return { isError: result.isError === true, code, text: JSON.stringify(result) };
}
