import { apiVersion, definePlugin, type Plugin, type PluginDefinition } from '../../../kernel/index.ts';
import { apiclientChecks } from '../../apiclient/checks.ts';
import { pendingCommands } from '../../approval-gate/commands.ts';
import { callCommands } from '../../engine-local/commands.ts';
import { functionChecks } from '../../executor-function/checks.ts';
import { sandboxChecks } from '../../sandbox-bwrap/checks.ts';
import { dotenvChecks } from '../../secrets-dotenv/checks.ts';
import { migrateCommand } from '../../tool-files/migrate/command.ts';
import { secretsCheckCommand } from '../secrets/check-command.ts';

type Surface = Pick<PluginDefinition<object>, 'name' | 'commands' | 'checks'>;

const surfaces: readonly Surface[] = [
  { name: 'executor-function', checks: functionChecks },
  { name: 'apiclient', checks: apiclientChecks },
  { name: 'sandbox-bwrap', checks: sandboxChecks },
  { name: 'secrets-dotenv', checks: dotenvChecks },
  { name: 'engine-local', commands: callCommands },
  { name: 'secret-resolver', commands: [secretsCheckCommand] },
  { name: 'tool-files', commands: [migrateCommand] },
  { name: 'approval-gate', commands: pendingCommands },
];

/** Returns built-in plugins with their commands and checks alone: these exist even when the configuration does not list the plugin. */
export function builtInSurfaces(): readonly Plugin[] {
  return surfaces.map((surface) => definePlugin({ ...surface, apiVersion, apply() {} })());
}
