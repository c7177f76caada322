import path from 'node:path';
import { apiVersion, definePlugin, revealSecret } from '../../kernel/index.ts';
import { lockSource } from '../shared/lock/lock-source.ts';
import { upstreamCommands } from './commands/commands.ts';
import { UpstreamsOptionsSchema } from './options.ts';

export type { UpstreamServer, UpstreamsOptions } from './options.ts';

/** Offers the tools, resources and prompts of MCP servers: each server is a source with a name, which its tools begin with. */
export const upstreams = definePlugin({
  name: 'upstreams',
  apiVersion,
  optionsSchema: UpstreamsOptionsSchema,
  commands: upstreamCommands,
  async apply(kernel, { servers = {} }) {
    for (const name of ['toolkit.lock', 'toolkit.lock.*'])
      kernel.extend.controlFiles(path.join(kernel.cwd, name), { what: 'what was accepted of sources' });
    if (Object.keys(servers).length === 0) return;
    for (const [name, server] of Object.entries(servers))
      kernel.extend.fact(lockSource, {
        section: 'upstreams',
        name,
        entry: server.pin === 'off' ? 'none' : 'required',
        async compare(invocation) {
          const { compareForLock } = await import('./commands/compare-for-lock.ts');
          return compareForLock(invocation, name, server, revealSecret);
        },
      });
    const { acceptedInLock } = await import('./accepted/accepted-in-lock.ts');
    const { openUpstreams } = await import('./open-upstreams.ts');
    openUpstreams(kernel, servers, acceptedInLock(kernel.cwd), revealSecret);
  },
});
