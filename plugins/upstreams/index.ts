import path from 'node:path';
import { apiVersion, definePlugin, type SourceAccess, ToolkitError } from '../../kernel/index.ts';
import { acceptedInMemory } from './accepted-lists.ts';
import { UpstreamExecutionSchema } from './execution.ts';
import { UpstreamsOptionsSchema } from './options.ts';
import { settingsOf } from './settings.ts';
import { serverSource } from './source.ts';
import { Upstream } from './upstream.ts';

export type { UpstreamServer, UpstreamsOptions } from './options.ts';

/** Offers the tools, resources and prompts of MCP servers: each server is a source with a name, which its tools begin with. */
export const upstreams = definePlugin({
  name: 'upstreams',
  apiVersion,
  optionsSchema: UpstreamsOptionsSchema,
  apply(kernel, { servers = {} }) {
    const { extend, cwd, hooks } = kernel;
    for (const name of ['toolkit.lock', 'toolkit.lock.*'])
      extend.controlFiles(path.join(cwd, name), { what: 'what was accepted of sources' });
    if (Object.keys(servers).length === 0) return;
    const known = new Map<string, Upstream>();
    const execution = extend.execution('upstream', { schema: UpstreamExecutionSchema, risk: () => 'high' });
    const accepted = acceptedInMemory();
    for (const [name, server] of Object.entries(servers)) {
      const settings = settingsOf(name, server);
      const access: { current?: SourceAccess } = {};
      const upstream = new Upstream(settings, kernel, () => access.current as SourceAccess);
      access.current = extend.source(name, serverSource(upstream, accepted));
      known.set(name, upstream);
    }
    extend.status('upstreams', () => Object.fromEntries([...known].map(([name, upstream]) => [name, upstream.status])));
    hooks.execute.for('upstream').tapPromise('upstreams', async (call, context) => {
      const upstream = known.get(call.tool.origin.source?.name ?? '');
      if (upstream === undefined) throw new ToolkitError('EXECUTOR_NOT_FOUND', `"${call.tool.name}" belongs to no MCP server of the configuration.`);
      const { callTool } = await import('./relay/call-tool.ts');
      return callTool(upstream, execution.of(call.tool), call, context);
    });
    // A host that serves compares the servers with what was accepted before it is asked; all others at the first call.
    hooks.serve.tap('upstreams', (sink) => {
      if (sink.work !== undefined) return;
      for (const upstream of known.values()) if (upstream.comparesEarly) upstream.observeLater();
    });
    hooks.dispose.tapPromise('upstreams', async () => {
      await Promise.all([...known.values()].map((upstream) => upstream.close()));
    });
  },
});
