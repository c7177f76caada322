import type { PluginCheck } from '../../kernel/index.ts';
import type { ApiclientOptions } from './options.ts';

/** Check of the program that runs collections. */
export const apiclientChecks: readonly PluginCheck<ApiclientOptions>[] = [
  {
    name: 'Collections',
    async run({ command = 'bru' }, services) {
      const { checkProgram, neededBy } = await import('../shared/checks/check-program.ts');
      const user = neededBy(services.kernel, 'for API collections', ({ execution }) => execution.type === 'apiclient');
      if (user === undefined) return [];
      const program = {
        check: 'Collections',
        program: command,
        args: ['--version'],
        pattern: /(\d+\.\d+\.\d+\S*)/,
        neededBy: user,
        install: 'Install it with "npm install -g @usebruno/cli", or name it in the option "command" of the plugin apiclient.',
      };
      return [await checkProgram(program, services)];
    },
  },
];
