import type { AdaptableOptions, CommandFlag, CommandInvocation, Kernel } from '../../../../kernel/index.ts';
import { exposureChoices } from '../../exposure/exposure.ts';
import { serverOfCommand } from '../../pinned-code/server-of-command.ts';
import { toolNames } from '../tool-names.ts';
import { toolPathsFlag, toolPathsOf } from '../tool-paths.ts';
import { parseList, parseOneOf, parsePath, parsePort } from '../values.ts';
import { checkCombinations, type ServerOptions } from './combinations.ts';
import { optionsOf } from './options-of.ts';
import { resolverOptions, secretsFlags } from './secrets.ts';

const transports = ['stdio', 'http'];
const approvalModes = ['flag', 'elicit', 'strict'];

/** Returns the flags of a command that serves MCP. `transport`: the default one. */
export function serverFlags(transport: 'stdio' | 'http'): readonly CommandFlag[] {
  return [
    {
      flag: '-t, --transport <name>',
      description: `stdio, where a client starts this command, or http (default: ${transport})`,
      parse: parseOneOf(transports),
      complete: async () => transports,
    },
    { flag: '-p, --port <number>', description: 'HTTP port; 0 takes a free one (default: 3000)', parse: parsePort },
    { flag: '--host <address>', description: 'address to bind (default: 127.0.0.1); beyond loopback a token of your own is required' },
    {
      flag: '--tools <names>',
      description: 'comma-separated tools to offer; * stands for any characters (default: all)',
      parse: parseList,
      complete: toolNames,
    },
    { flag: '--exclude <names>', description: 'comma-separated tools to leave out of those', parse: parseList, complete: toolNames },
    {
      flag: '--expose <choice>',
      description:
        'which of them clients are shown: all; search, a few tools that find and call the others; auto, by the client and the size of the list (default: all)',
      parse: parseOneOf(exposureChoices),
      complete: async () => exposureChoices,
    },
    { flag: '--available', description: 'list only tools whose secrets the resolvers have' },
    {
      flag: '--pin <names>',
      description: 'comma-separated tools to list in addition with --expose search',
      parse: parseList,
      complete: toolNames,
    },
    {
      flag: '--approval <mode>',
      description:
        'who approves tools that require approval: flag, the client claims it; elicit, the server asks the person; strict, as elicit or by a signed token (default: flag)',
      parse: parseOneOf(approvalModes),
      complete: async () => approvalModes,
    },
    { flag: '--policy <file>', description: 'rules that allow, ask or deny (default: policy.yaml, where it exists)', parse: parsePath },
    {
      flag: '--token <token>',
      description: 'bearer token for HTTP; shows in process lists, so prefer TOOLKIT_MCP_TOKEN (default: a random one)',
    },
    {
      flag: '--tokens-file <file>',
      description: 'file with a list of further tokens, each with name and token or sha256; SIGHUP reads it again',
      parse: parsePath,
    },
    {
      flag: '--allowed-hosts <names>',
      description: 'comma-separated Host headers to accept besides loopback and --host',
      parse: parseList,
    },
    { flag: '--allowed-origins <origins>', description: 'comma-separated origins of web pages that may call', parse: parseList },
    { flag: '--https', description: 'HTTPS; needs --cert with --key, or --self-signed' },
    { flag: '--self-signed', description: 'HTTPS with a certificate made with openssl and kept in .toolkit/certs' },
    { flag: '--cert <file>', description: 'certificate in PEM; implies --https', parse: parsePath },
    { flag: '--key <file>', description: 'its private key in PEM; implies --https', parse: parsePath },
    ...secretsFlags,
    toolPathsFlag,
  ];
}

/** Overrides of a command that serves, in addition to its flags. */
export interface ServerOverrides {
  /** Transport if no flag sets it. @default that of the configuration */
  readonly transport?: 'stdio' | 'http';
  /** Changes the kernel's options, such as its logger. */
  readonly adapt?: (options: AdaptableOptions) => AdaptableOptions;
}

/** Creates the configured kernel with the flags applied. Throws INVALID_PARAMETERS for flags that contradict each other. */
export async function serverKernel(
  { flags, createKernel }: Pick<CommandInvocation, 'flags' | 'createKernel'>,
  { transport, adapt }: ServerOverrides = {},
): Promise<Kernel> {
  const kernel = await createKernel(
    {
      mcp: { ...(transport === undefined ? {} : { transport }), ...mcpOptions(flags) },
      ...resolverOptions(flags),
      ...toolPathsOf(flags),
      ...(flags['policy'] === undefined ? {} : { 'policy-rules': { file: flags['policy'] } }),
      ...(flags['approval'] === undefined ? {} : { 'approval-gate': { mode: flags['approval'] } }),
    },
    serverOfCommand(flags, adapt),
  );
  try {
    checkCombinations(flags, optionsOf(kernel, 'mcp') as ServerOptions);
  } catch (error) {
    await kernel.close();
    throw error;
  }
  return kernel;
}

function mcpOptions(flags: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given: Record<string, unknown> = {
    transport: flags['transport'],
    port: flags['port'],
    host: flags['host'],
    tools: flags['tools'],
    excludeTools: flags['exclude'],
    expose: flags['expose'],
    onlyAvailable: flags['available'],
    pinned: flags['pin'],
    mcpToken: flags['token'],
    tokensFile: flags['tokensFile'],
    allowedHosts: flags['allowedHosts'],
    allowedOrigins: flags['allowedOrigins'],
    https: flags['https'],
    selfSigned: flags['selfSigned'],
    certPath: flags['cert'],
    keyPath: flags['key'],
  };
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  // A certificate flag replaces the other kind of certificate in the configuration.
  const hasCertificateFlag = flags['cert'] !== undefined || flags['key'] !== undefined;
  if (flags['selfSigned'] === true && !hasCertificateFlag) return { ...options, certPath: undefined, keyPath: undefined };
  return hasCertificateFlag && flags['selfSigned'] === undefined ? { ...options, selfSigned: undefined } : options;
}
