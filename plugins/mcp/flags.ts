import { type PluginFlag, ToolkitError } from '../../kernel/index.ts';
import { toolNames } from '../shared/flags/tool-names.ts';
import { parsePath } from '../shared/flags/values.ts';
import type { McpOptions } from './options.ts';
import { httpOptions } from './transports/http/options.ts';
import { ownsStdout } from './transports/index.ts';

/** The options of the server that are flags too. */
export const mcpFlags: Readonly<Record<string, PluginFlag>> = {
  transport: { flag: '-t, --transport <name>', description: 'stdio, where a client starts this command, or http' },
  port: { flag: '-p, --port <number>', description: 'HTTP port; 0 takes a free one' },
  host: {
    flag: '--host <address>',
    description: 'address to bind (default: 127.0.0.1); beyond loopback a token of your own is required',
  },
  tools: {
    flag: '--tools <names>',
    description: 'comma-separated tools to offer; * stands for any characters (default: all)',
    complete: toolNames,
  },
  excludeTools: { flag: '--exclude <names>', description: 'comma-separated tools to leave out of those', complete: toolNames },
  expose: {
    flag: '--expose <choice>',
    description:
      'which of them clients are shown: all; search, a few tools that find and call the others; auto, by the client and the size of the list',
  },
  onlyAvailable: { flag: '--available', description: 'list only tools whose secrets the resolvers have' },
  pinned: {
    flag: '--pin <names>',
    description: 'comma-separated tools to list in addition with --expose search',
    complete: toolNames,
  },
  mcpToken: {
    flag: '--token <token>',
    description: 'bearer token for HTTP; shows in process lists, so prefer TOOLKIT_MCP_TOKEN (default: a random one)',
  },
  tokensFile: {
    flag: '--tokens-file <file>',
    description: 'file with a list of further tokens, each with name and token or sha256; SIGHUP reads it again',
    parse: parsePath,
  },
  allowedHosts: {
    flag: '--allowed-hosts <names>',
    description: 'comma-separated Host headers to accept besides loopback and --host',
  },
  allowedOrigins: {
    flag: '--allowed-origins <origins>',
    description: 'comma-separated origins of web pages that may call',
  },
  https: { flag: '--https', description: 'HTTPS; needs --cert with --key, or --self-signed' },
  selfSigned: { flag: '--self-signed', description: 'HTTPS with a certificate made with openssl and kept in .toolkit/certs' },
  certPath: { flag: '--cert <file>', description: 'certificate in PEM; implies --https', parse: parsePath },
  keyPath: { flag: '--key <file>', description: 'its private key in PEM; implies --https', parse: parsePath },
};

/** Returns the options of the flags. A certificate flag replaces the other kind of certificate in the configuration. Throws INVALID_PARAMETERS. */
export function combineMcpFlags(given: Readonly<Record<string, unknown>>, configured: McpOptions): Readonly<Record<string, unknown>> {
  const { selfSigned: signs, certPath: cert, keyPath: key } = given;
  if (signs === true && (cert !== undefined || key !== undefined))
    throw wrong('--self-signed makes a certificate, and --cert and --key name one of your own. Keep one of the two ways.');
  const replaced = signs === true ? { certPath: undefined, keyPath: undefined } : (cert ?? key) ? { selfSigned: undefined } : {};
  const set = { ...replaced, ...given };
  const options = { ...configured, ...set } as McpOptions;
  const ofHttp = Object.keys(given).flatMap((option) => (option in httpOptions ? /--[\w-]+/.exec(mcpFlags[option]?.flag ?? '') : []));
  if (ownsStdout(options) && ofHttp.length > 0)
    throw wrong(
      `${ofHttp.join(', ')} ${ofHttp.length === 1 ? 'is' : 'are'} for HTTP, but the transport is stdio, where the client that starts the server is the only one. Add --transport http, or leave ${ofHttp.length === 1 ? 'it' : 'them'} out.`,
    );
  if (cert !== undefined && options.keyPath === undefined)
    throw wrong('--cert is a certificate without its private key. Add --key <file>.');
  if (key !== undefined && options.certPath === undefined)
    throw wrong('--key is a private key without its certificate. Add --cert <file>.');
  if (given['https'] === true && options.selfSigned !== true && options.certPath === undefined)
    throw wrong('--https needs a certificate. Add --self-signed to have one made, or --cert <file> with --key <file>.');
  return set;
}

function wrong(message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', message);
}
