import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Started, start, stdioClient } from '../e2e/program.ts';
import { notedBy, type PlantedSite, plantedSite } from './planted-account-site.ts';

/** Commands with an account, in their order. A word with a blank in it is no part of any. */
export const commands = [
  'auth providers',
  'auth status',
  'auth status --json',
  'doctor',
  'doctor --json',
  'secrets check',
  'list',
  'describe acme_echo --json',
  'explain acme_echo --json',
  'run acme_echo --debug',
  'run acme_echo --output json',
  'run acme_fail',
  'run acme_broken',
  'run acme_garbage',
  'run acme_show',
  'run acme_throw',
  'run acme_program',
  'run acme_plain',
  'run acme_refused --debug',
  'run acme_refused --output json',
  'test acme_echo --record',
  'test acme_echo',
  'audit verify calls.jsonl',
] as const;

/** Tools that an MCP client calls, the first one again after an expiry. */
export const called = ['acme_echo', 'acme_fail', 'acme_garbage', 'acme_show', 'acme_throw', 'acme_program', 'acme_refused'] as const;

/** Everything that could be seen of a person with an account. */
export interface AccountEvidence {
  readonly site: PlantedSite;
  /** States and PKCE verifiers of the logins. */
  readonly ownValues: readonly string[];
  /** Outputs of programs by their title, with the pages that the browser got. */
  readonly outputs: ReadonlyMap<string, string>;
  /** Command lines of all processes while a login waited and while the server ran. */
  readonly commandLines: string;
  /** Messages of the MCP server. */
  readonly messages: readonly unknown[];
  /** Files below the working directory: definitions, trail, cassette, state. */
  readonly files: ReadonlyMap<string, string>;
  readonly noted: ReturnType<typeof notedBy>;
}

const address = /\n(http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+)\n/;

class AccountRun {
  readonly outputs = new Map<string, string>();
  readonly ownValues: string[] = [];
  readonly messages: unknown[] = [];
  commandLines = '';
  readonly site: PlantedSite;

  constructor(site: PlantedSite) {
    this.site = site;
  }

  start(args: readonly string[]): Started {
    return start(args, this.site);
  }

  /** Notes what a program has written at its end, without the address that a person has to open: the state belongs there. */
  async end(title: string, { child, exit, stdout, stderr }: Started, page = ''): Promise<void> {
    child.stdin?.end();
    const { code } = await exit;
    this.outputs.set(title, [`exit ${code}`, page, stdout(), stderr().replace(address, '')].join('\n'));
  }

  async run(title: string, words = title): Promise<void> {
    await this.end(title, this.start(words.split(' ')));
  }

  async logIn(title: string, how: 'browser' | 'pasted'): Promise<void> {
    const login = this.start(['auth', 'login', 'acme', '--no-browser', '--scopes', 'read', '--debug']);
    const [, url = ''] = await login.waitFor(address);
    const { server } = this.site;
    this.ownValues.push(new URL(url).searchParams.get('state') ?? 'no state');
    this.commandLines += await commandLines();
    const redirect = server.authorize(url);
    if (how === 'pasted') login.child.stdin?.write(`${redirect}\n`);
    const page = how === 'browser' ? await (await fetch(redirect)).text() : '';
    await this.end(title, login, page);
  }

  async logInByDevice(title: string): Promise<void> {
    const login = this.start(['auth', 'login', 'acme', '--device', '--account', 'phone', '--scopes', 'read', '--debug']);
    const [, code = ''] = await login.waitFor(/type the code ([\w-]+)/);
    this.site.server.decideDevice(code);
    await this.end(title, login);
  }

  /** Refuses the next token request with all that it holds. */
  refuseNext(status = 400): void {
    const refuse = (parameters: object): unknown => ({
      error: 'invalid_grant',
      error_description: `${Object.values(parameters).join(' ')} ${encodeURIComponent(JSON.stringify(parameters))}`,
      ...parameters,
    });
    this.site.server.next({ refuse, status });
  }

  async serve(title: string): Promise<void> {
    const { client, end } = await stdioClient([], this.site);
    client.fallbackNotificationHandler = async (notification) => void this.messages.push(notification);
    await client.setLoggingLevel('debug');
    this.messages.push(await client.listTools());
    for (const name of called) this.messages.push(await this.#call(client, name));
    this.site.server.expire();
    this.messages.push(await this.#call(client, 'acme_echo'));
    this.commandLines += await commandLines();
    this.outputs.set(title, await end());
  }

  #call(client: Awaited<ReturnType<typeof stdioClient>>['client'], name: string): Promise<unknown> {
    const onprogress = (progress: unknown): void => void this.messages.push(progress);
    return client.callTool({ name, arguments: {} }, undefined, { onprogress, timeout: 300_000 });
  }
}

/** Logs in, uses the account in every way, over expiries and refusals, and logs out. */
export async function accountRun(): Promise<AccountEvidence> {
  const site = await plantedSite();
  const { server } = site;
  const run = new AccountRun(site);
  run.refuseNext();
  await run.logIn('a login that is refused', 'browser');
  await run.logIn('a login in the browser', 'browser');
  await run.logInByDevice('a login by device');
  await run.run('a logout', 'auth logout acme --account phone --debug');
  for (const words of commands) await run.run(words);
  server.expire();
  await run.run('a call after an expiry', 'run acme_echo --debug');
  await run.run('a refresh', 'auth refresh acme --debug');
  await run.serve('the MCP server');
  // A request that got no usable answer is sent once more.
  for (let count = 0; count < 2; count++) run.refuseNext(500);
  await run.run('a refresh that fails', 'auth refresh acme --debug');
  await run.logIn('a login with a pasted address', 'pasted');
  server.expire();
  run.refuseNext();
  await run.run('a call after a refused refresh', 'run acme_echo --debug');
  await run.run('doctor, with an account that needs a login', 'doctor');
  await run.logIn('a further login', 'browser');
  server.refuseRevocation = (parameters) => ({ error: 'unsupported_token_type', error_description: Object.values(parameters).join(' ') });
  await run.run('a logout that is refused', 'auth logout acme --debug');
  const verifiers = server.requests.flatMap(({ parameters }) => parameters['code_verifier'] ?? []);
  const { outputs, commandLines: lines, messages } = run;
  return {
    site,
    ownValues: [...run.ownValues, ...verifiers],
    outputs,
    commandLines: lines,
    messages,
    files: await filesBelow(site.cwd),
    noted: notedBy(site),
  };
}

async function commandLines(): Promise<string> {
  const names = await readdir('/proc').catch(() => []);
  const processes = names.filter((name) => /^\d+$/.test(name));
  return (await Promise.all(processes.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')))).join('\n');
}

async function filesBelow(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  return new Map(await Promise.all(names.map(async (name) => [path.relative(folder, name), await readFile(name, 'latin1')] as const)));
}
