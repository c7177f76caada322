import type { AdaptableOptions, Command, CommandInvocation } from '../../../kernel/index.ts';
import { serverOfCommand } from '../../shared/pinned-code/server-of-command.ts';
import { ownsStdout } from '../transports/index.ts';
import { configuredOptions } from './configured-options.ts';

/** `toolkit mcp`: starts the MCP server. */
export const mcpCommand: Command = {
  name: 'mcp',
  description:
    'Start the MCP server. Over stdio a client starts it and talks to it on standard input and output; over HTTP it serves any number of clients at /mcp. Flags win over the configuration.',
  flags: [{ flag: '--watch', description: 'load what changes in the tool folders, and tell the clients (SIGHUP does it once)' }],
  topics: ['serve', 'secrets', 'tools'],
  examples: [
    { line: 'toolkit mcp', does: 'what a client on this machine starts; "toolkit mcp setup" writes its configuration' },
    {
      line: "toolkit mcp --tools 'github_*,fs_read_*' --approval elicit",
      does: 'only these tools, and the person is asked where a tool says so',
    },
    { line: 'toolkit mcp -t http -p 8080 --self-signed', does: 'HTTPS on port 8080; prints the address, the token and the certificate' },
    { line: 'toolkit mcp --secrets env,dotenv --env-file secrets.env', does: 'secrets from the environment, then from a file' },
  ],
  async run(invocation) {
    const { terminal, note, serve, flags, createKernel } = invocation;
    const kernel = await createKernel({}, serverOfCommand(flags, flags['watch'] === true ? await watchAdapter(invocation) : undefined));
    // Clients start this command; a user at a terminal would see nothing.
    if (terminal.isInteractive && ownsStdout(configuredOptions(kernel)))
      note(
        'Waiting for an MCP client on standard input. "toolkit mcp setup" connects one, --transport http is for the network. Ctrl-C ends this.\n',
      );
    await serve(kernel);
  },
};

/** Imports the watcher only when the flag is set. */
async function watchAdapter({ configFile }: CommandInvocation): Promise<(options: AdaptableOptions) => AdaptableOptions> {
  const startedAt = Date.now();
  const { watchTools } = await import('./watch-tools.ts');
  return (options) => ({ ...options, plugins: [...options.plugins, watchTools(configFile, startedAt)] });
}
