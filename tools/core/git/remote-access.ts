import { excerpt, type OutboundAddresses, ToolkitError } from '../../../kernel/index.ts';
import type { RunAgain } from '../../../plugins/executor-command/index.ts';
import { gitFailure, wrongParameter } from './failure.ts';
import { checkLocalRemote, servingCommand } from './local-remote.ts';
import { maskCredentials } from './mask-credentials.ts';
import { networkEnvironment } from './network-environment.ts';
import { pinned } from './pinned-host.ts';
import { addressOf } from './remote-address.ts';
import { refuseBranchTargets, refuseGroup, refuseUnknown } from './remote-rules.ts';
import { lastValue, type Setting, type Settings } from './settings.ts';

type Direction = 'fetch' | 'push';

interface RemoteAccessOptions {
  readonly repository: string;
  readonly direction: Direction;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly settings: Settings;
  readonly run: RunAgain;
  readonly addressesOf: OutboundAddresses;
}

export interface RemoteAccess {
  readonly env: Readonly<Record<string, string>>;
  readonly settings: readonly Setting[];
}

/**
 * Returns the settings and variables with which git reaches the remote of a call and no other host. Throws INVALID_PARAMETERS
 * for a remote that is not configured or not allowed, EXECUTION_FAILED when the repository itself configures programs, proxies
 * or files for the connection.
 */
export async function remoteAccess(options: RemoteAccessOptions): Promise<RemoteAccess> {
  const { parameters, settings, direction } = options;
  const remote = String(parameters['remote']);
  refuseUnknown(remote, settings);
  if (direction === 'fetch') refuseBranchTargets(remote, settings);
  // git also fetches missing objects of a partial clone from its promisor remotes.
  const others = promisors(settings).filter((name) => name !== remote);
  for (const name of [remote, ...others]) refuseGroup(name, settings);
  refuseRepositorySettings(new Set([remote, ...others]), settings);
  const ways = [await wayTo(remote, direction, options)];
  for (const name of others) ways.push(await wayTo(name, 'fetch', options));
  return {
    env: networkEnvironment(new Set(ways.flatMap(({ protocols }) => protocols)), settings),
    // A push to a mirror would send all refs and delete others.
    settings: [{ key: `remote.${remote}.mirror`, value: 'false' }, ...credentialHelpers(settings), ...ways.flatMap((way) => way.settings)],
  };
}

function promisors({ own, users }: Settings): readonly string[] {
  const all = [...own, ...users];
  const marked = all.flatMap(({ key, value }) => (value === 'false' ? [] : (/^remote\.(.+)\.promisor$/s.exec(key)?.[1] ?? [])));
  const named = lastValue(own, 'extensions.partialclone');
  return [...new Set(named === undefined ? marked : [...marked, named])];
}

const remoteWays = /^remote\.(.+)\.(?:uploadpack|receivepack|vcs|proxy|proxyauthmethod)$/s;
/** Settings of files with object names; git prints a line of such a file that is invalid. */
const objectLists = /^(?:fetch\.|receive\.)?fsck\.skiplist$/;
const httpSetting = /^http\.(?:.*\.)?([a-z]+)$/s;
/** HTTP settings that a repository may have: they neither redirect nor read or write files. */
const harmlessHttp = new Set([
  'extraheader',
  'postbuffer',
  'version',
  'lowspeedlimit',
  'lowspeedtime',
  'useragent',
  'maxrequests',
  'minsessions',
  'sslbackend',
]);

function refuseRepositorySettings(remotes: ReadonlySet<string>, { own }: Settings): void {
  const keys = own.filter((setting) => isWay(setting, remotes)).map(({ key }) => key);
  if (keys.length === 0) return;
  throw new ToolkitError(
    'EXECUTION_FAILED',
    `The configuration of the repository itself sets ${excerpt(maskCredentials(keys.slice(0, 5).join(', ')))}: a program, a proxy, a file or a rule for the way to the remote, which is not followed. Nothing was transferred. Who knows and trusts it moves it to their own configuration (git config --global), or does this step in a terminal.`,
    { settings: maskCredentials(keys.slice(0, 5).join(', ')) },
  );
}

function isWay({ key, value }: Setting, remotes: ReadonlySet<string>): boolean {
  if (key === 'core.gitproxy' || objectLists.test(key)) return true;
  const remote = remoteWays.exec(key)?.[1];
  if (remote !== undefined) return remotes.has(remote);
  const http = httpSetting.exec(key)?.[1];
  if (http === undefined || harmlessHttp.has(http)) return false;
  return !(http === 'sslverify' && value === 'true') && !(http === 'savecookies' && value === 'false');
}

interface RemoteConnection {
  readonly protocols: readonly string[];
  readonly settings: readonly Setting[];
}

async function wayTo(
  remote: string,
  direction: Direction,
  { repository, parameters, settings, run, addressesOf }: RemoteAccessOptions,
): Promise<RemoteConnection> {
  const badRemote = (expected: string): ToolkitError => wrongParameter('remote', `expected ${expected}, received "${excerpt(remote)}"`);
  // git prints one URL a line only when no value has control characters.
  const isOdd = settings.own.some(({ key, value }) => /^(remote|url)\./.test(key) && /\p{Cc}/u.test(`${key}${value}`));
  if (isOdd) throw badRemote('remotes without control characters in the configuration of the repository');
  const push = direction === 'push' ? ['--push'] : [];
  const { stdout, stderr, exitCode } = await run(['-C', repository, 'remote', 'get-url', '--all', ...push, '--', remote]);
  if (exitCode !== 0) throw gitFailure({ stderr, exitCode, parameters });
  const protocols: string[] = [];
  const pins: Setting[] = [];
  for (const url of stdout.split('\n').filter((line) => line !== '')) {
    const address = addressOf(url, repository);
    if (address.kind === 'refused')
      throw badRemote(`a remote in a folder or at an https, http or ssh address, but ${excerpt(maskCredentials(url))} ${address.why}`);
    if (address.kind === 'folder')
      await checkLocalRemote({ name: remote, folder: address.folder, within: String(parameters['remote_folder']), direction, run });
    if (address.kind === 'network') pins.push(...(await pinned(url, address.protocols, addressesOf)));
    protocols.push(...(address.kind === 'folder' ? ['file'] : address.protocols));
  }
  const isLocal = protocols.includes('file');
  if (isLocal && new Set(protocols).size > 1) throw badRemote('a remote whose URLs are all folders or all network addresses');
  return { protocols, settings: isLocal ? servingSettings(remote) : pins };
}

/**
 * Returns the settings for the served remote. git takes the first of several values; those of the repository itself were
 * refused before.
 */
function servingSettings(remote: string): readonly Setting[] {
  return [
    { key: `remote.${remote}.uploadpack`, value: servingCommand('upload-pack') },
    { key: `remote.${remote}.receivepack`, value: servingCommand('receive-pack') },
  ];
}

const helper = /^credential\.(?:.*\.)?helper$/s;

/** Replaces credential helpers of the repository by the user's own. An empty value clears the list (gitcredentials). */
function credentialHelpers({ own, users }: Settings): readonly Setting[] {
  if (!own.some(({ key }) => helper.test(key))) return [];
  return [{ key: 'credential.helper', value: '' }, ...users.filter(({ key }) => helper.test(key))];
}
