import { type PluginApi, type Secret, type SourceAccess, ToolkitError } from '../../kernel/index.ts';
import type { AcceptedServers } from './accepted/accepted-servers.ts';
import { UpstreamExecutionSchema } from './execution.ts';
import { addGauges } from './gauges.ts';
import { openLogins } from './login/open-login.ts';
import type { UpstreamServer } from './options.ts';
import { settingsOf } from './settings.ts';
import { serverSource } from './source.ts';
import { Upstream } from './upstream.ts';

/** Time between the start of a host and the comparison of its servers, in milliseconds: starting them would delay the first answers. */
const compareDelayMs = 1000;

/** Adds a source for each server, and the execution of their tools. Throws CONFIG_INVALID for a wrong server. */
export function openUpstreams(
  kernel: PluginApi,
  servers: Readonly<Record<string, UpstreamServer>>,
  accepted: AcceptedServers,
  reveal: (secret: Secret) => string,
): void {
  const { extend, hooks, logger, cwd } = kernel;
  const services = {
    ...{ logger, cwd, reveal },
    launcher: extend.launcher(),
    onStart: addGauges(kernel),
    get kernel() {
      return kernel.kernel;
    },
  };
  const logins = openLogins(kernel);
  const upstreams = new Map<string, Upstream>();
  const execution = extend.execution('upstream', { schema: UpstreamExecutionSchema, risk: () => 'high' });
  for (const [name, server] of Object.entries(servers)) {
    const access: { current?: SourceAccess } = {};
    const settings = settingsOf(name, server);
    const login = logins.of(settings, () => upstream);
    const upstream: Upstream = new Upstream(settings, services, { access: () => access.current as SourceAccess, login });
    access.current = extend.source(name, serverSource(upstream, accepted));
    upstreams.set(name, upstream);
  }
  extend.status('upstreams', () => Object.fromEntries([...upstreams].map(([name, upstream]) => [name, upstream.status])));
  hooks.execute.for('upstream').tapPromise('upstreams', async (call, context) => {
    const upstream = upstreams.get(call.tool.origin.source?.name ?? '');
    if (upstream === undefined)
      throw new ToolkitError('EXECUTOR_NOT_FOUND', `"${call.tool.name}" belongs to no MCP server of the configuration.`);
    const { callTool } = await import('./relay/call-tool.ts');
    return callTool(upstream, execution.of(call.tool), call, context);
  });
  // A host that serves compares the servers with what was accepted before it is asked; all others at the first call.
  let unfollow = (): void => {};
  let comparing: NodeJS.Timeout | undefined;
  hooks.serve.tapPromise('upstreams', async (sink) => {
    if (sink.work !== undefined) return;
    const { followLock } = await import('./accepted/follow-lock.ts');
    unfollow = await followLock(cwd, upstreams, { kernel: () => kernel.kernel, accepted, logger });
    comparing = setTimeout(() => {
      for (const upstream of upstreams.values()) if (upstream.comparesEarly) upstream.observeLater();
    }, compareDelayMs).unref();
  });
  hooks.dispose.tapPromise('upstreams', async () => {
    unfollow();
    clearTimeout(comparing);
    await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
  });
}
