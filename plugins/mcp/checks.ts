import type { PluginCheck } from '../../kernel/index.ts';
import type { McpOptions } from './options.ts';

/** Checks of the server: its port, and the program that signs its certificate. */
export const mcpChecks: readonly PluginCheck<McpOptions>[] = [
  {
    name: 'OpenSSL',
    async run({ selfSigned }, services) {
      const { checkProgram } = await import('../shared/checks/check-program.ts');
      const program = {
        check: 'OpenSSL',
        program: 'openssl',
        args: ['version'],
        pattern: /^(?:Open|Libre)SSL (\S+)/,
        neededBy: selfSigned === true ? 'the plugin mcp, which is to sign its own certificate,' : undefined,
        install: 'Install openssl; --self-signed makes its certificate with it.',
      };
      return [await checkProgram(program, services)];
    },
  },
  {
    name: 'Port',
    run: async (options, { isServing = false }) => (isServing ? [] : [await (await import('./check-port.ts')).checkPort(options)]),
  },
];
