import { type CommandInvocation, messageOf, placeholdersIn, ToolkitError } from '../../../kernel/index.ts';
import { writeOption } from '../../shared/configuration/write-option.ts';
import { projectFolder } from '../../shared/project/project-folder.ts';
import { prompts } from '../../shared/terminal/prompts.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { writeAccepted } from '../accepted/accepted-in-lock.ts';
import { importServers } from '../import/import-servers.ts';
import type { ImportedSecret, ImportedServer } from '../import/imported.ts';
import { operator } from '../login/account-owner.ts';
import { loginCommand } from '../login/login-errors.ts';
import type { UpstreamServer } from '../options.ts';
import { compareLists } from './compare-lists.ts';
import { configuredServers } from './configured-servers.ts';
import { checkServers, contactServer, type Reveal } from './contact-server.ts';
import { differenceText } from './difference-text.ts';
import { type Reviewed, reviewServer } from './review-server.ts';
import { storeSecrets } from './store-secrets.ts';
import { StoredResolver } from './stored-resolver.ts';
import { upstreamsPlugin } from './upstreams-plugin.ts';

/**
 * Makes the servers of a text in the form of `mcpServers` servers of the configuration: writes them there, their secrets into `.env`, and what a
 * person accepts of them into the lock. Servers that the configuration has already stay as they are.
 */
export async function addServers(invocation: CommandInvocation, text: string, file: string, reveal: Reveal): Promise<void> {
  const { configFile, write, note } = invocation;
  const folder = projectFolder(configFile);
  const { servers, secrets, refused, notes } = await importServers(text, file);
  const configured = await configuredServers(invocation);
  for (const { name, reason } of refused) note(`${terminalText(name)} ${terminalText(reason)}: it is left out.\n`);
  for (const line of notes) note(`${terminalText(line)}\n`);
  const added = [...servers].filter(([name]) => !Object.hasOwn(configured, name));
  for (const name of servers.keys()) if (Object.hasOwn(configured, name)) note(`${name} is there already, and stays as it is.\n`);
  if (added.length === 0)
    throw new ToolkitError('INVALID_PARAMETERS', 'Nothing was added: each server is there already, or cannot be taken.');
  // A name that cannot be used would keep the program from starting.
  await checkServers(invocation, { ...configured, ...(Object.fromEntries(added) as Record<string, UpstreamServer>) }, reveal);
  const env = await storeSecrets(folder, secretsOf(added, secrets), invocation.flags['replaceSecret'] === true);
  for (const line of env.notes) note(`${line}\n`);
  for (const [name, server] of added) {
    const written = await writeOption(configFile, folder, { plugin: upstreamsPlugin, path: ['servers', name], value: server });
    if (written.lines === undefined) write(`Added ${name} to ${written.file}.\n`);
    else write(`Add to "plugins" in ${written.file}, which has a form that was not changed:\n${written.lines.join('\n')}\n`);
  }
  const resolver = new StoredResolver(env.stored, reveal);
  for (const [name, server] of added) await acceptNew(invocation, folder, name, server, reveal, resolver);
  write(await resolver.configure(configFile, folder));
}

/** Returns the secrets that these servers name. */
function secretsOf(added: readonly (readonly [string, ImportedServer])[], secrets: readonly ImportedSecret[]): readonly ImportedSecret[] {
  const names = new Set(placeholdersIn(added.map(([, { env, headers }]) => [env, headers])));
  return secrets.filter(({ name }) => names.has(name));
}

/** Shows what a new server offers, and accepts it when a person says so. A server that cannot be reached is accepted later. */
async function acceptNew(
  invocation: CommandInvocation,
  folder: string,
  name: string,
  server: ImportedServer,
  reveal: Reveal,
  resolver: StoredResolver,
): Promise<void> {
  const { write, note, flags } = invocation;
  let offered: Reviewed;
  const later = (reason: string): void => note(`${reason} To accept it later: toolkit upstream accept ${name}\n`);
  try {
    const { lists, kernel } = await contactServer(invocation, name, server as UpstreamServer, reveal, resolver.plugin());
    await kernel.close();
    write(`${name} offers:\n${differenceText(compareLists(undefined, lists))}`);
    offered = { server: name, lists, folder, kernel };
  } catch (error) {
    if (ToolkitError.is(error) && error.details['offersLogin'] === true) await setLogin(invocation, folder, name);
    else later(terminalText(messageOf(error)));
    if (flags['yes'] === true) invocation.setExitCode(1);
    return;
  }
  try {
    await reviewServer(invocation, offered);
  } catch (error) {
    later(terminalText(messageOf(error)));
    return;
  }
  if (flags['yes'] !== true && !(await isWanted(invocation, name))) {
    later('It offers nothing here yet.');
    return;
  }
  await writeAccepted(folder, name, offered.lists);
  write(`Accepted: ${offered.lists.tools.length} tools of "${name}". Commit toolkit.lock and toolkit.lock.d/.\n`);
}

/** Makes a new server one with a login, and says how to go on. */
async function setLogin({ configFile, write, note }: CommandInvocation, folder: string, name: string): Promise<void> {
  const written = await writeOption(configFile, folder, { plugin: upstreamsPlugin, path: ['servers', name, 'auth'], value: 'oauth' });
  if (written.lines === undefined) write(`${name} wants a login: wrote "auth: oauth" to its settings.\n`);
  else
    write(
      `${name} wants a login. Add to "plugins" in ${written.file}, which has a form that was not changed:\n${written.lines.join('\n')}\n`,
    );
  note(`Log in, then accept what it offers:\n  ${loginCommand(name, operator)}\n  toolkit upstream accept ${name}\n`);
}

/** Asks whether to accept what a server offers. False where nobody can be asked. */
async function isWanted({ terminal, interrupted }: CommandInvocation, name: string): Promise<boolean> {
  if (!terminal.isInteractive) return false;
  const { confirm } = await prompts(terminal, interrupted());
  return confirm(`Accept that of "${name}"?`, false);
}
