import { type Command, ToolkitError } from '../../kernel/index.ts';
import { list } from '../shared/flag-values.ts';
import { resolversOf } from './secret-flags.ts';

/** `toolkit mcp`: the server from the command line. */
export const mcpCommand: Command = {
  name: 'mcp',
  description: 'Start the MCP server.',
  flags: [
    { flag: '-t, --transport <name>', description: 'stdio or http (default: stdio)', parse: oneOf('stdio', 'http') },
    { flag: '-p, --port <number>', description: 'HTTP port; 0 takes a free one (default: 3000)', parse: port },
    { flag: '--host <address>', description: 'address to bind (default: 127.0.0.1)' },
    { flag: '--tools <names>', description: 'comma-separated tools to offer; * stands for any characters (default: all)', parse: list },
    { flag: '--exclude <names>', description: 'comma-separated tools to leave out of those', parse: list },
    { flag: '--token <token>', description: 'bearer token for HTTP; shows in process lists, so prefer TOOLKIT_MCP_TOKEN' },
    { flag: '--allowed-hosts <names>', description: 'comma-separated Host headers to take beside loopback and --host', parse: list },
    { flag: '--allowed-origins <origins>', description: 'comma-separated origins of web pages that may call', parse: list },
    { flag: '--https', description: 'HTTPS; needs --cert with --key, or --self-signed' },
    { flag: '--self-signed', description: 'HTTPS with a certificate made with openssl and kept in .toolkit/certs' },
    { flag: '--cert <file>', description: 'certificate in PEM; implies --https' },
    { flag: '--key <file>', description: 'its private key in PEM; implies --https' },
    {
      flag: '--secrets <resolvers>',
      description: 'comma-separated resolvers, first value wins: env, dotenv, vault, aws (default: env)',
      parse: list,
    },
    { flag: '--env-file <file>', description: 'file of the resolver dotenv (default: .env)' },
    { flag: '--vault-path <path>', description: 'KV version 2 path of the resolver vault (default: secret/data/toolkit)' },
    { flag: '--aws-secret-id <id>', description: 'secret of the resolver aws (default: toolkit/credentials)' },
    { flag: '--tool-paths <paths>', description: 'comma-separated directories with your own tools', parse: list },
  ],
  async run({ flags, createKernel, serve }) {
    const given = (entries: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
    const resolvers = resolversOf(flags);
    const kernel = await createKernel({
      mcp: given({
        transport: flags['transport'],
        port: flags['port'],
        host: flags['host'],
        tools: flags['tools'],
        excludeTools: flags['exclude'],
        mcpToken: flags['token'],
        allowedHosts: flags['allowedHosts'],
        allowedOrigins: flags['allowedOrigins'],
        https: flags['https'],
        selfSigned: flags['selfSigned'],
        certPath: flags['cert'],
        keyPath: flags['key'],
      }),
      ...(resolvers === undefined ? {} : { 'secret-resolver': { resolvers } }),
      ...(flags['toolPaths'] === undefined ? {} : { 'tool-files': { toolPaths: flags['toolPaths'] } }),
    });
    await serve(kernel);
  },
};

function oneOf(...known: string[]): (value: string) => string {
  return (value) => {
    if (known.includes(value)) return value;
    throw new ToolkitError('INVALID_PARAMETERS', `expected ${known.join(' or ')}, received "${value}"`);
  };
}

function port(value: string): number {
  if (/^\d+$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new ToolkitError('INVALID_PARAMETERS', `expected a number from 0 to 65535, received "${value}"`);
}
