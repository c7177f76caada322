import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { callsApproveCommand, callsRefuseCommand } from './commands/calls/answer.ts';
import { callsCancelCommand } from './commands/calls/cancel.ts';
import { callsListCommand } from './commands/calls/list.ts';
import { callsRetryCommand } from './commands/calls/retry.ts';
import { callsShowCommand } from './commands/calls/show.ts';
import { describeCommand } from './commands/describe/command.ts';
import { devCommand } from './commands/dev/command.ts';
import { doctorCommand } from './commands/doctor/command.ts';
import { explainCommand } from './commands/explain/command.ts';
import { listCommand } from './commands/list.ts';
import { mcpCommand } from './commands/mcp.ts';
import { mcpSetupCommand } from './commands/mcp-setup/command.ts';
import { migrateCommand } from './commands/migrate/command.ts';
import { newPlugin } from './commands/new/new-plugin.ts';
import { newProvider } from './commands/new/new-provider.ts';
import { newTool } from './commands/new/new-tool.ts';
import { pluginsCommand } from './commands/plugins.ts';
import { runCommand } from './commands/run/command.ts';
import { searchCommand } from './commands/search.ts';
import { secretsCheckCommand } from './commands/secrets-check.ts';
import { testCommand } from './commands/test/command.ts';
import { tokensCommand } from './commands/tokens/command.ts';
import { toolsAcceptCommand } from './commands/tools-accept/command.ts';
import { toolsPendingCommand } from './commands/tools-pending/command.ts';
import { typesCommand } from './commands/types/command.ts';
import { validateCommand } from './commands/validate/command.ts';
import { workerCommand } from './commands/worker/command.ts';

/** The subcommands of `toolkit`, in the order of the help. Every start imports this file, so a command imports its code only when it runs. */
export const cli = definePlugin({
  name: 'cli',
  apiVersion,
  commands: [
    mcpCommand,
    mcpSetupCommand,
    devCommand,
    listCommand,
    searchCommand,
    describeCommand,
    tokensCommand,
    runCommand,
    workerCommand,
    callsListCommand,
    callsShowCommand,
    callsCancelCommand,
    callsRetryCommand,
    callsApproveCommand,
    callsRefuseCommand,
    newTool,
    newProvider,
    newPlugin,
    validateCommand,
    migrateCommand,
    testCommand,
    typesCommand,
    explainCommand,
    secretsCheckCommand,
    toolsPendingCommand,
    toolsAcceptCommand,
    pluginsCommand,
    doctorCommand,
  ],
  apply() {},
});
