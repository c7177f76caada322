import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Answer, ask, cookiesOf, jsonOf } from '../../plugins/console/request.ts';
import { Provider } from './provider.ts';
import type { ModelOutcome, OpenedSite, ServerOrder, ServerReply, ServerSettings, SiteKind, TargetTool } from './server/server-messages.ts';

/** A console of the target. */
export interface Site extends OpenedSite {
  readonly kind: SiteKind;
  /** Origin that its pages have. */
  readonly origin: string;
  /** Token of its MCP server. */
  readonly mcpToken: string;
}

/** A browser in which the operator is signed in. */
export interface Login {
  readonly cookie: string;
  /** Token of its POSTs. */
  readonly csrf: string;
}

/** A call that waits for the operator. */
export interface Held {
  readonly id: string;
  /** Digest of what the operator sees; a decision names it. */
  readonly digest: string;
}

export interface TargetOptions {
  /** Tools beside `pay`, whose calls are held, and `echo`, which returns its parameters. */
  readonly tools?: readonly TargetTool[];
}

const standardTools: readonly TargetTool[] = [
  {
    name: 'pay',
    description: 'Pays.',
    parameters: { amount: { type: 'number' }, to: { type: 'string' } },
    requires_approval: true,
    risk: 'high',
  },
  { name: 'echo', description: 'Gives its parameters back.', parameters: { text: { type: 'string' } }, risk: 'low' },
];

/** A child process with consoles that is attacked, and the means of its operator. */
export class Target {
  /** The OpenID provider of its console `people`. */
  readonly provider: Provider;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #replies = new Map<number, (reply: ServerReply) => void>();
  readonly #mcpToken: string;
  #orders = 0;
  #printed = '';
  #counter = 0;

  private constructor(program: string, settings: ServerSettings, provider: Provider) {
    this.provider = provider;
    this.#folder = settings.folder;
    this.#mcpToken = settings.mcpToken;
    this.#child = fork(program, [JSON.stringify(settings)], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#printed += text;
    });
    this.#child.on('message', (message) => {
      const reply = message as ServerReply;
      this.#replies.get(reply.id)?.(reply);
      this.#replies.delete(reply.id);
    });
    this.#child.once('exit', () => {
      for (const [id, answer] of this.#replies) answer({ id, failure: `the server has ended:\n${this.#printed}` });
      this.#replies.clear();
    });
  }

  /** Starts a program that `Builder` has made. */
  static async start(program: string, { tools = [] }: TargetOptions = {}): Promise<Target> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-attacks-'));
    const provider = await Provider.start();
    const settings = { folder, tools: [...standardTools, ...tools], issuer: provider.issuer, mcpToken: 'token-of-the-client' };
    const target = new Target(program, settings, provider);
    await target.#reply(0);
    return target;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL');
      await ended;
    }
    await this.provider.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Opens a console, or returns the open one. */
  async site(kind: SiteKind = 'mcp'): Promise<Site> {
    const opened = await this.#order<OpenedSite>({ kind: 'open', site: kind });
    const origin = kind === 'proxied' ? 'https://console.example' : `http://127.0.0.1:${opened.port}`;
    return { ...opened, kind, origin, mcpToken: this.#mcpToken };
  }

  /** Returns a new one-time code, as `toolkit console login` prints. */
  code({ kind }: Site): Promise<string> {
    return this.#order({ kind: 'code', site: kind });
  }

  /** Logs the operator in with a code. */
  async logIn(site: Site): Promise<Login> {
    const answer = await sendCode(site, await this.code(site));
    if (answer.status !== 303) throw new Error(`The operator did not get in: ${answer.status} ${answer.body}`);
    return loginOf(site, cookiesOf(answer));
  }

  /** Makes a model call `pay`, which is held. */
  async hold(parameters: object = { amount: ++this.#counter }): Promise<Held> {
    const { approval, code } = await this.call('pay', parameters);
    if (approval === undefined) throw new Error(`The call was not held: ${code}`);
    return { id: approval, digest: (await this.approval(approval)).digest };
  }

  /** Calls a tool as a model does. */
  call(tool: string, parameters: object): Promise<ModelOutcome> {
    return this.#order({ kind: 'call', tool, parameters });
  }

  /** Returns a record of the inbox. */
  approval(id: string): Promise<{ readonly status: string; readonly digest: string }> {
    return this.#order({ kind: 'approval', id });
  }

  /** Returns the number of runs of a tool. */
  runs(tool: string): Promise<number> {
    return this.#order({ kind: 'runs', tool });
  }

  /** Has the source `shelf` list these tools from now on. Resolves to the names of the changes that wait to be accepted. */
  list(tools: readonly object[]): Promise<readonly string[]> {
    return this.#order({ kind: 'list', tools });
  }

  /** Puts the clock of the servers and of the provider forward. */
  async shift(ms: number): Promise<void> {
    this.provider.shiftMs += ms;
    await this.#order({ kind: 'shift', ms });
  }

  async #order<T>(order: ServerOrder): Promise<T> {
    const id = ++this.#orders;
    const reply = this.#reply(id);
    this.#child.send({ id, order });
    return (await reply).value as T;
  }

  async #reply(id: number): Promise<ServerReply> {
    const reply = await new Promise<ServerReply>((resolve) => {
      if (this.#child.exitCode === null) this.#replies.set(id, resolve);
      else resolve({ id, failure: `the server has ended:\n${this.#printed}` });
    });
    if (reply.failure !== undefined) throw new Error(reply.failure);
    return reply;
  }
}

/** Sends the form of the login, as its page does. */
export function sendCode(
  site: Site,
  code: string,
  { from, headers = {} }: { readonly from?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  return ask(site.port, '/console/login', {
    method: 'POST',
    headers: { host: hostOf(site), origin: site.origin, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ code }).toString(),
    ...(from === undefined ? {} : { from }),
  });
}

/** Returns the login of a cookie, whose token is read as the page reads it. Throws for a stranger. */
export async function loginOf(site: Site, cookie: string): Promise<Login> {
  const answer = await overviewOf(site, cookie);
  if (answer.status !== 200) throw new Error(`The cookie is that of a stranger: ${answer.status}`);
  return { cookie, csrf: jsonOf<{ readonly csrf: string }>(answer).csrf };
}

/** Asks for what the page asks first. */
export function overviewOf(site: Site, cookie: string): Promise<Answer> {
  return ask(site.port, '/console/api/overview', { headers: { host: hostOf(site), cookie } });
}

/** Returns true for a cookie of somebody who is signed in. */
export async function isSignedIn(site: Site, cookie: string): Promise<boolean> {
  return (await overviewOf(site, cookie)).status === 200;
}

/** Sends a POST to the API, as the page does without its token. */
export function post(site: Site, path: string, headers: Readonly<Record<string, string>>, body: unknown = {}): Promise<Answer> {
  return ask(site.port, `/console/api/${path}`, {
    method: 'POST',
    headers: { host: hostOf(site), origin: site.origin, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Returns the Host that a browser sends. */
export function hostOf({ origin }: Pick<Site, 'origin'>): string {
  return new URL(origin).host;
}
