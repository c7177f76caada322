import { type Command, type Complete, revealSecret } from '../../../kernel/index.ts';
import { acceptFindingFlag } from '../../shared/scanner/review/accept-finding-flag.ts';

/** Completes the name of a server of the configuration. */
const completeServers: Complete = async (invocation) => {
  const { configuredServers } = await import('./configured-servers.ts');
  return Object.keys(await configuredServers(invocation));
};

const server = { name: '<server>', description: 'its name in the configuration', complete: completeServers };
const replaceSecret = { flag: '--replace-secret', description: 'replace values that .env has under the names of its secrets' };
const json = { flag: '--json', description: 'print JSON' };

/** `toolkit upstream …`: the commands for MCP servers. */
export const upstreamCommands: readonly Command[] = [
  {
    name: 'upstream add',
    description:
      'Add an MCP server to the configuration, and show what it offers. Secrets go into .env and stand as {NAME}. Asks at a terminal before its tools are accepted; --yes accepts them.',
    arguments: [{ name: '<name>', description: 'its name, the prefix of its tools' }],
    flags: [
      { flag: '--url <url>', description: 'the address of a server over HTTP' },
      { flag: '--header <header>', description: 'a header, such as "Authorization: Bearer …"', repeats: true },
      { flag: '--command <command>', description: 'the program of a server on standard input and output' },
      { flag: '--arg <arg>', description: 'an argument of the program', repeats: true },
      { flag: '--env <pair>', description: 'a variable of the program, such as TOKEN=…', repeats: true },
      replaceSecret,
      { flag: '--yes', description: 'accept its tools without asking' },
      acceptFindingFlag,
    ],
    examples: [{ line: 'toolkit upstream add tracker --url https://mcp.tracker.example/mcp', does: 'tools tracker_…' }],
    async run(invocation) {
      const { add } = await import('./add.ts');
      await add(invocation, revealSecret);
    },
  },
  {
    name: 'upstream import',
    description:
      'Take the MCP servers of a client over: Claude, Cursor, VS Code, Windsurf, Zed, Gemini CLI, Codex and others with "mcpServers". Secrets go into .env and stand as {NAME}. The file stays as it is.',
    arguments: [{ name: '<file>', description: 'the configuration file of the client' }],
    flags: [replaceSecret, { flag: '--yes', description: 'accept their tools without asking' }, acceptFindingFlag],
    examples: [{ line: 'toolkit upstream import ./.cursor/mcp.json', does: 'the servers of a project in Cursor' }],
    async run(invocation) {
      const { importFile } = await import('./import.ts');
      await importFile(invocation, revealSecret);
    },
  },
  {
    name: 'upstream list',
    description: 'List the MCP servers of the configuration, with what was accepted of each. Asks no server.',
    flags: [json],
    examples: [{ line: 'toolkit upstream list', does: 'see which servers still offer nothing' }],
    async run(invocation) {
      const { list } = await import('./list.ts');
      await list(invocation);
    },
  },
  {
    name: 'upstream tools',
    description: 'Show the tools that an MCP server offers now, as they would be here: names, risks, approvals, and what cannot be taken.',
    arguments: [server],
    flags: [json],
    examples: [{ line: 'toolkit upstream tools github', does: 'look at a server before it is accepted' }],
    async run(invocation) {
      const { tools } = await import('./tools.ts');
      await tools(invocation, revealSecret);
    },
  },
  {
    name: 'upstream diff',
    description:
      'Compare what an MCP server offers now with what was accepted. Exit code 0: nothing differs, 1: an error, 2: something differs.',
    arguments: [server],
    flags: [json],
    examples: [{ line: 'toolkit upstream diff github', does: 'see each changed text before and after' }],
    async run(invocation) {
      const { diff } = await import('./diff.ts');
      await diff(invocation, revealSecret);
    },
  },
  {
    name: 'upstream accept',
    description:
      'The same as "toolkit accept <server>", with --reads: accept what an MCP server offers now, after showing what differs. Writes toolkit.lock and the definitions in toolkit.lock.d. Asks at a terminal; needs --yes without one. Running servers take it over by themselves.',
    arguments: [server],
    flags: [
      { flag: '--yes', description: 'accept without asking' },
      acceptFindingFlag,
      {
        flag: '--reads <tool>',
        description: 'a tool, by the name that the server gives, that only reads and needs no approval',
        repeats: true,
      },
    ],
    examples: [{ line: 'toolkit upstream accept github --reads get_issue', does: 'accept the tools, one of them as read-only' }],
    async run(invocation) {
      const { accept } = await import('./accept.ts');
      await accept(invocation, revealSecret);
    },
  },
  {
    name: 'upstream remove',
    description:
      'Remove an MCP server from the configuration, and what was accepted of it from toolkit.lock and toolkit.lock.d. Its secrets stay.',
    arguments: [server],
    flags: [],
    examples: [{ line: 'toolkit upstream remove github', does: 'forget the server' }],
    async run(invocation) {
      const { remove } = await import('./remove.ts');
      await remove(invocation);
    },
  },
];
