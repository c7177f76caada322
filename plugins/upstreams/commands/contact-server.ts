import {
  apiVersion,
  type CommandInvocation,
  createLogger,
  definePlugin,
  type Kernel,
  type Plugin,
  type Secret,
  ToolkitError,
} from '../../../kernel/index.ts';
import type { AcceptedServers } from '../accepted/accepted-servers.ts';
import { openUpstreams } from '../open-upstreams.ts';
import type { UpstreamServer } from '../options.ts';
import type { ServerLists } from '../server-lists.ts';
import { withoutServers } from './configured-servers.ts';

/** A server that was asked for what it offers. */
export interface Contacted {
  readonly lists: ServerLists;
  /** A kernel with this server alone, as it is now. The caller closes it. */
  readonly kernel: Kernel;
}

/** Reads the value of a secret, with the copy of the kernel that runs. */
export type Reveal = (secret: Secret) => string;

/**
 * Asks a server for what it offers, with the plugins of the configuration but without its other servers. `fallback` resolves
 * the secrets that no plugin of the configuration has. Throws why it cannot be reached.
 */
export async function contactServer(
  { createKernel }: Pick<CommandInvocation, 'createKernel'>,
  name: string,
  server: UpstreamServer,
  reveal: Reveal,
  fallback?: Plugin,
): Promise<Contacted> {
  let lists: ServerLists | undefined;
  const accepted: AcceptedServers = {
    read: async () => undefined,
    writeFirst: async (_server, first) => {
      lists = first;
    },
    change: async () => {},
  };
  const only = definePlugin({
    name: 'upstreams',
    apiVersion,
    apply: (api) => openUpstreams(api, { [name]: { ...server, pin: 'first-use' } }, accepted, reveal),
  });
  const kernel = await createKernel({}, (options) => ({
    ...options,
    logger: createLogger({ level: 'silent' }),
    plugins: [...withoutServers(options.plugins), only(), ...(fallback === undefined ? [] : [fallback])],
  }));
  if (lists !== undefined) return { lists, kernel };
  const { failure = `The MCP server "${name}" does not answer.`, offersLogin = false } = statusOf(kernel, name);
  await kernel.close();
  throw new ToolkitError(offersLogin ? 'AUTH_FAILED' : 'UPSTREAM_UNAVAILABLE', failure, { offersLogin });
}

/** Returns what is known about a server, in its own words where it has any. */
function statusOf(kernel: Kernel, name: string): { readonly failure?: string; readonly offersLogin?: boolean } {
  const servers = kernel.status()['upstreams'] as Readonly<Record<string, { readonly failure?: string; readonly offersLogin?: boolean }>>;
  return { ...kernel.sources.list().find((source) => source.name === name), ...servers[name] };
}

/** Checks servers with the plugins of the configuration, without contact. Throws for settings, and for a name that another owner's tools begin with. */
export async function checkServers(
  { createKernel }: Pick<CommandInvocation, 'createKernel'>,
  servers: Readonly<Record<string, UpstreamServer>>,
  reveal: Reveal,
): Promise<void> {
  const pinned = Object.entries(servers).map(([name, server]) => [name, { ...server, pin: 'lock' as const }] as const);
  const unknown: AcceptedServers = { read: async () => undefined, writeFirst: async () => {}, change: async () => {} };
  const only = definePlugin({
    name: 'upstreams',
    apiVersion,
    apply: (api) => openUpstreams(api, Object.fromEntries(pinned), unknown, reveal),
  });
  const kernel = await createKernel({}, (options) => ({
    ...options,
    logger: createLogger({ level: 'silent' }),
    plugins: [...withoutServers(options.plugins), only()],
  }));
  await kernel.close();
}
