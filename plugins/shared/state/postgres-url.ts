import { parseUrl, ToolkitError, toUrl } from '../../../kernel/index.ts';

const variable = 'TOOLKIT_STORE_URL';

/** The database of the configuration: as given to the plugin, else that of the environment. Throws PLUGIN_INVALID. */
export function postgresUrl(plugin: string, given: string | undefined, maskAlso: (name: string, value: string) => void): string {
  const url = given ?? process.env[variable]?.trim() ?? '';
  const parsed = parseUrl(url);
  if (parsed === undefined || !/^postgres(ql)?:$/.test(parsed.protocol)) throw wrongUrl(plugin, url);
  maskAlso(`${plugin} url`, url);
  if (parsed.password !== '') maskAlso(`${plugin} password`, decodeURIComponent(parsed.password));
  return url;
}

/** A database as messages name it: without what logs in. */
export function nameOfDatabase(url: string): string {
  const { host, pathname } = toUrl(url);
  return `postgresql://${host}${pathname}`;
}

function wrongUrl(plugin: string, url: string): ToolkitError {
  const received = url === '' ? 'none' : 'another text';
  return new ToolkitError(
    'PLUGIN_INVALID',
    `${plugin}: url expected postgresql://user:password@host/database, received ${received}. Give it as ${variable} in the environment, or as the option url.`,
  );
}
