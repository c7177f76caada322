import { parseUrl, ToolkitError, toUrl } from '../../../kernel/index.ts';

const variable = 'TOOLKIT_STORE_URL';

/** Returns the database URL: the plugin's option, else TOOLKIT_STORE_URL. Masks the URL and its password. Throws PLUGIN_INVALID. */
export function postgresUrl(plugin: string, given: string | undefined, maskAlso: (name: string, value: string) => void): string {
  const url = given ?? process.env[variable]?.trim() ?? '';
  const parsed = parseUrl(url);
  if (parsed === undefined || !/^postgres(ql)?:$/.test(parsed.protocol)) throw urlError(plugin, url);
  maskAlso(`${plugin} url`, url);
  if (parsed.password !== '') maskAlso(`${plugin} password`, decodeURIComponent(parsed.password));
  return url;
}

/** Returns the name of a database for messages: without credentials. */
export function nameOfDatabase(url: string): string {
  const { host, pathname } = toUrl(url);
  return `postgresql://${host}${pathname}`;
}

function urlError(plugin: string, url: string): ToolkitError {
  const received = url === '' ? 'none' : 'another text';
  return new ToolkitError(
    'PLUGIN_INVALID',
    `${plugin}: url expected postgresql://user:password@host/database, received ${received}. Give it as ${variable} in the environment, or as the option url.`,
  );
}
