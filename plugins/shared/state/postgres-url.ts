import { ToolkitError, toUrl } from '../../../kernel/index.ts';
import { isPostgresUrl, urlsOfHosts } from './postgres-hosts.ts';

const variable = 'TOOLKIT_STORE_URL';

/** Returns the database URL: the plugin's option, else TOOLKIT_STORE_URL. Masks the URL and its password. Throws PLUGIN_INVALID. */
export function postgresUrl(plugin: string, given: string | undefined, maskAlso: (name: string, value: string) => void): string {
  const url = given ?? process.env[variable]?.trim() ?? '';
  if (!isPostgresUrl(url)) throw urlError(plugin, url === '' ? 'none' : 'another text');
  const [first = url, ...others] = urlsOfHosts(url);
  const { password, searchParams } = toUrl(first);
  maskAlso(`${plugin} url`, url);
  if (password !== '') maskAlso(`${plugin} password`, decodeURIComponent(password));
  const wanted = searchParams.get('target_session_attrs') ?? 'read-write';
  if (wanted !== 'read-write' && wanted !== 'primary') throw urlError(plugin, 'a target_session_attrs other than read-write');
  if (others.length > 0 && searchParams.has('host')) throw urlError(plugin, 'several hosts and the parameter host');
  return url;
}

/** Returns the name of a database for messages: without credentials. */
export function nameOfDatabase(url: string): string {
  const hosts = urlsOfHosts(url).map((one) => toUrl(one));
  return `postgresql://${hosts.map(({ host }) => host).join(',')}${hosts[0]?.pathname ?? ''}`;
}

function urlError(plugin: string, received: string): ToolkitError {
  return new ToolkitError(
    'PLUGIN_INVALID',
    `${plugin}: url expected postgresql://user:password@host/database (also host1:port1,host2:port2), received ${received}. Give it as ${variable} in the environment, or as the option url.`,
  );
}
