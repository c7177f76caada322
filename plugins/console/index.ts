import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { consoleCommands } from './commands.ts';
import { ConsoleOptionsSchema } from './options.ts';

export type { ConsoleOptions } from './options.ts';

/**
 * Adds a page for operators at `/console`: calls that wait for a person, calls, tools, sources and problems. Only those who have logged in see any of it,
 * and all that it does is a call of the kernel's public API.
 */
export const console = definePlugin({
  name: 'console',
  apiVersion,
  optionsSchema: ConsoleOptionsSchema,
  commands: consoleCommands,
  async apply(api, options) {
    const { openConsole } = await import('./open-console.ts');
    await openConsole(api, options);
  },
});
