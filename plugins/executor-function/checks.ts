import type { PluginCheck } from '../../kernel/index.ts';

/** Check of the Python that runs functions. */
export const functionChecks: readonly PluginCheck<{ readonly python?: string }>[] = [
  {
    name: 'Python',
    async run({ python = 'python3' }, services) {
      const { checkProgram, neededBy } = await import('../shared/checks/check-program.ts');
      const program = {
        check: 'Python',
        program: python,
        args: ['--version'],
        pattern: /^Python (3\.\S+)/,
        neededBy: neededBy(services.kernel, 'in Python', ({ execution }) => /\.py(#\w+)?$/.test(String(execution['code'] ?? ''))),
        install: 'Install Python 3, or name it in the option "python" of the plugin executor-function.',
      };
      return [await checkProgram(program, services)];
    },
  },
];
