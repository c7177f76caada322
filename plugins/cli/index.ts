import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { describeCommand } from './commands/describe/command.ts';
import { devCommand } from './commands/dev/command.ts';
import { doctorCommand } from './commands/doctor/command.ts';
import { explainCommand } from './commands/explain/command.ts';
import { listCommand } from './commands/list.ts';
import { newPlugin } from './commands/new/new-plugin.ts';
import { newProvider } from './commands/new/new-provider.ts';
import { newTool } from './commands/new/new-tool.ts';
import { pluginsCommand } from './commands/plugins.ts';
import { runCommand } from './commands/run/command.ts';
import { searchCommand } from './commands/search.ts';
import { testCommand } from './commands/test/command.ts';
import { tokensCommand } from './commands/tokens/command.ts';
import { typesCommand } from './commands/types/command.ts';
import { validateCommand } from './commands/validate/command.ts';

/** The subcommands of `toolkit` that are about no single plugin. Every start imports this file, so a command imports its code only when it runs. */
export const cli = definePlugin({
  name: 'cli',
  apiVersion,
  commands: [
    devCommand,
    listCommand,
    searchCommand,
    describeCommand,
    tokensCommand,
    runCommand,
    newTool,
    newProvider,
    newPlugin,
    validateCommand,
    testCommand,
    typesCommand,
    explainCommand,
    pluginsCommand,
    doctorCommand,
  ],
  apply() {},
});
