import type { Command } from '../../../../kernel/index.ts';

/** `toolkit dev`: the MCP server for authors of tools. */
export const devCommand: Command = {
  name: 'dev',
  description:
    'Serve the tools over MCP while you write them: saved files are loaded at once, clients are notified, mistakes are shown with their position, and every call is a line. A broken file keeps its old definition.',
  topics: ['serve', 'secrets', 'tools'],
  flagDefaults: { transport: 'http' },
  examples: [
    { line: 'toolkit dev --tool-paths tools', does: 'serve over HTTP, and load what is saved below tools' },
    { line: 'toolkit dev --transport stdio', does: 'the same for a client that starts the server itself; lines go to standard error' },
  ],
  async run(invocation) {
    const { develop } = await import('./develop.ts');
    await develop(invocation);
  },
};
