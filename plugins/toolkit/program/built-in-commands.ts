import { apiVersion, definePlugin, type Plugin } from '../../../kernel/index.ts';
import { auditVerifyCommand } from '../../audit-trail/command.ts';
import { cli } from '../../cli/index.ts';
import { hostStdio } from '../../host-stdio/index.ts';
import { mcp } from '../../mcp/index.ts';
import { completion } from './completion-command.ts';

/** So that a trail can be verified where no configuration keeps one. One that does takes its place. */
const auditVerify = definePlugin({ name: 'audit-trail', apiVersion, commands: [auditVerifyCommand], apply() {} });

/** So that it need not know the plugins that it is made of. */
const host = hostStdio({ loadParts: async () => (await import('../host/host-parts.ts')).hostParts });

/** What is always there: the commands, in the order of the help, and the server that they start. */
export function builtInCommands(): readonly Plugin[] {
  return [mcp(), cli(), host, auditVerify(), completion()].map((plugin) => ({ ...plugin, from: 'toolkit' }));
}
