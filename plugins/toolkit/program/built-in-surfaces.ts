import Type from 'typebox';
import { apiVersion, definePlugin, type Plugin, type PluginDefinition } from '../../../kernel/index.ts';
import { accountChecks } from '../../accounts/checks.ts';
import { accountCommands } from '../../accounts/commands/commands.ts';
import { apiclientChecks } from '../../apiclient/checks.ts';
import { pendingCommands } from '../../approval-gate/commands.ts';
import { gateFlags, ModeSchema } from '../../approval-gate/flags.ts';
import { approvalCommands } from '../../approvals/commands.ts';
import { consoleCommands } from '../../console/commands.ts';
import { callChecks } from '../../engine-local/checks.ts';
import { callCommands } from '../../engine-local/commands.ts';
import { functionChecks } from '../../executor-function/checks.ts';
import { lockChecks } from '../../lock-file/checks.ts';
import { lockCommands } from '../../lock-file/commands/commands.ts';
import { rulesFlags } from '../../policy-rules/flags.ts';
import { sandboxChecks } from '../../sandbox-bwrap/checks.ts';
import { dotenvChecks } from '../../secrets-dotenv/checks.ts';
import { toolFilesSurface } from '../../tool-files/surface.ts';
import { callsMoveCommand } from '../calls-move/command.ts';
import { secretsSurface } from '../secrets/surface.ts';

type Surface = Omit<PluginDefinition<object>, 'apiVersion' | 'apply'>;

/** In the order of their flags in the help. */
const surfaces: readonly Surface[] = [
  { name: 'executor-function', checks: functionChecks },
  { name: 'apiclient', checks: apiclientChecks },
  { name: 'sandbox-bwrap', checks: sandboxChecks },
  { name: 'secrets-dotenv', checks: dotenvChecks },
  { name: 'engine-local', commands: callCommands, checks: callChecks },
  { name: 'calls-move', commands: [callsMoveCommand] },
  { name: 'approval-gate', commands: pendingCommands, optionsSchema: Type.Object({ mode: ModeSchema }), flags: gateFlags },
  { name: 'approvals', commands: approvalCommands },
  { name: 'console', commands: consoleCommands },
  { name: 'policy-rules', flags: rulesFlags },
  { name: 'secret-resolver', ...secretsSurface },
  { name: 'tool-files', ...toolFilesSurface },
  { name: 'lock-file', commands: lockCommands, checks: lockChecks },
  { name: 'accounts', commands: accountCommands, checks: accountChecks },
];

/** Returns built-in plugins with their commands, checks and flags alone: these exist even when the configuration does not list the plugin. */
export function builtInSurfaces(): readonly Plugin[] {
  return surfaces.map((surface) => definePlugin({ ...surface, apiVersion, apply() {} })());
}
