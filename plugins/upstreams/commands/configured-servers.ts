import { type CommandInvocation, createLogger, didYouMean, excerpt, isPlainObject, ToolkitError } from '../../../kernel/index.ts';
import type { UpstreamServer, UpstreamsOptions } from '../options.ts';

type Servers = Readonly<Record<string, UpstreamServer>>;

/** Returns the servers among the plugins of a configuration, by name. */
export function serversIn(plugins: readonly unknown[]): Servers {
  const own = plugins.flat(Number.POSITIVE_INFINITY).findLast(isOwn) as { readonly options?: UpstreamsOptions } | undefined;
  return own?.options?.servers ?? {};
}

/** Returns the plugins of a configuration without this one, whose servers would be listed. */
export function withoutServers(plugins: readonly unknown[]): readonly unknown[] {
  return plugins.flat(Number.POSITIVE_INFINITY).filter((plugin) => !isOwn(plugin));
}

/** Returns the servers of the configuration, without asking one. */
export async function configuredServers({ createKernel }: Pick<CommandInvocation, 'createKernel'>): Promise<Servers> {
  let servers: Servers = {};
  const kernel = await createKernel({}, (options) => {
    servers = serversIn(options.plugins);
    return { ...options, logger: createLogger({ level: 'silent' }), plugins: withoutServers(options.plugins) };
  });
  await kernel.close();
  return servers;
}

/** Returns a server of the configuration. Throws INVALID_PARAMETERS for an unknown name. */
export async function configuredServer(invocation: Pick<CommandInvocation, 'createKernel'>, name: string): Promise<UpstreamServer> {
  const servers = await configuredServers(invocation);
  const server = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (server !== undefined) return server;
  const names = Object.keys(servers);
  const advice = names.length === 0 ? ' The configuration has none yet: toolkit upstream add' : didYouMean(name, names);
  throw new ToolkitError('INVALID_PARAMETERS', `There is no MCP server "${excerpt(name, 60)}" in the configuration.${advice}`);
}

function isOwn(plugin: unknown): boolean {
  return isPlainObject(plugin) && plugin['name'] === 'upstreams';
}
