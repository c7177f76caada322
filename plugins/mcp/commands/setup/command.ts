import { type Command, didYouMean, excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { parseList, parseOneOf } from '../../../shared/flags/values.ts';
import { clientNames, setupTransports } from './names.ts';

/** `toolkit mcp setup`: connects an assistant. */
export const mcpSetupCommand: Command = {
  name: 'mcp setup',
  description: 'Connect an assistant: what the tools need, client configurations to paste or to write, and a test of the server.',
  flags: [
    {
      flag: '-t, --transport <name>',
      description: 'stdio or http (default: both are shown, stdio is written)',
      parse: parseOneOf(setupTransports),
      complete: async () => setupTransports,
    },
    {
      flag: '--client <names>',
      description: `comma-separated clients: ${clientNames.join(', ')} (default: all)`,
      parse: parseClients,
      complete: async () => clientNames,
    },
    {
      flag: '--providers <names>',
      description: 'comma-separated providers whose tools are offered beside the core tools (default: all)',
      parse: parseList,
    },
    { flag: '--no-core', description: 'do not offer the core tools' },
    { flag: '--name <name>', description: 'name of the server in the file of the client', default: 'toolkit', parse: serverName },
    {
      flag: '--project-file',
      description:
        'write the file of this project that the client reads (.mcp.json, .cursor/mcp.json, .vscode/mcp.json), not that of all projects',
    },
    { flag: '--replace', description: 'replace an entry of that name that connects to another server' },
    { flag: '--write-token', description: 'write the token itself (TOOLKIT_MCP_TOKEN) over HTTP; only you can read the file afterwards' },
    { flag: '--remove', description: 'remove the entry from the file of --client' },
    { flag: '--undo', description: 'restore the entry of --client as it was before the last change, from the backup beside the file' },
    { flag: '--write', description: 'write the file of --client without asking; a backup is kept beside it' },
    { flag: '--no-test', description: 'do not start the server to list its tools' },
    { flag: '--json', description: 'print JSON; nothing is asked' },
  ],
  examples: [
    { line: 'toolkit mcp setup', does: 'asks, shows what would change, and writes the file of the client' },
    {
      line: 'toolkit mcp setup --client cursor --providers github,slack',
      does: 'for Cursor, with the core tools and those of two providers',
    },
    { line: 'toolkit mcp setup --client claude-code --write', does: 'for scripts: nothing is asked' },
    { line: 'toolkit mcp setup --client cursor --undo', does: 'the entry as it was before' },
  ],
  async run(invocation) {
    const { runSetup } = await import('./run.ts');
    await runSetup(invocation);
  },
};

function parseClients(value: string): readonly string[] {
  const names = parseList(value);
  const unknownName = names.find((name) => !(clientNames as readonly string[]).includes(name));
  if (unknownName === undefined && names.length > 0) return [...new Set(names)];
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    `expected some of ${clientNames.join(', ')}, received "${excerpt(unknownName ?? value, 100)}".${didYouMean(unknownName ?? '', [...clientNames])}`,
  );
}

function serverName(value: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(value)) return value;
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    `expected up to 64 letters, digits, - and _, the first a letter or digit, received "${excerpt(value, 100)}"`,
  );
}
