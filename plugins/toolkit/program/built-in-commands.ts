import { apiVersion, definePlugin, type Plugin } from '../../../kernel/index.ts';
import { auditVerifyCommand } from '../../audit-trail/command.ts';
import { cli } from '../../cli/index.ts';
import { hostStdio } from '../../host-stdio/index.ts';
import { mcp } from '../../mcp/index.ts';
import { openapi } from '../../openapi/index.ts';
import { upstreams } from '../../upstreams/index.ts';
import { completion } from './completion-command.ts';

/** Verifies a trail without a configuration that lists audit-trail. The plugin itself replaces this one, at this position of the order of taps. */
const auditVerify = definePlugin({ name: 'audit-trail', apiVersion, commands: [auditVerifyCommand], apply() {} });

/** Its parts are passed in, because a plugin must not import them. */
const host = hostStdio({ loadParts: async () => (await import('../host/host-parts.ts')).hostParts });

/** Returns the plugins that are always present: the commands, and the server that they start. */
export function builtInCommands(): readonly Plugin[] {
  return [mcp(), cli(), openapi(), upstreams(), host, auditVerify(), completion()].map((plugin) => ({ ...plugin, from: 'toolkit' }));
}
