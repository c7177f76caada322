import { ToolkitError } from '../../../../kernel/index.ts';

/** Effective options of the MCP server that decide which flags are valid. */
export interface ServerOptions {
  readonly transport?: string;
  readonly selfSigned?: boolean;
  readonly certPath?: string;
  readonly keyPath?: string;
}

/** Flags that only apply to HTTP. */
const httpFlags = {
  port: '--port',
  host: '--host',
  token: '--token',
  tokensFile: '--tokens-file',
  allowedHosts: '--allowed-hosts',
  allowedOrigins: '--allowed-origins',
  https: '--https',
  selfSigned: '--self-signed',
  cert: '--cert',
  key: '--key',
} as const;

/**
 * Refuses flags that contradict each other or have no effect. `options`: the effective ones, from flags and configuration. Throws
 * INVALID_PARAMETERS.
 */
export function checkCombinations(flags: Readonly<Record<string, unknown>>, options: ServerOptions): void {
  const given = Object.entries(httpFlags).flatMap(([name, flag]) => (flags[name] === undefined ? [] : [flag]));
  if (options.transport !== 'http' && given.length > 0)
    throw wrong(
      `${given.join(', ')} ${given.length === 1 ? 'is' : 'are'} for HTTP, but the transport is stdio, where the client that starts the server is the only one. Add --transport http, or leave ${given.length === 1 ? 'it' : 'them'} out.`,
    );
  if (flags['selfSigned'] === true && (flags['cert'] !== undefined || flags['key'] !== undefined))
    throw wrong('--self-signed makes a certificate, and --cert and --key name one of your own. Keep one of the two ways.');
  if (flags['cert'] !== undefined && options.keyPath === undefined)
    throw wrong('--cert is a certificate without its private key. Add --key <file>.');
  if (flags['key'] !== undefined && options.certPath === undefined)
    throw wrong('--key is a private key without its certificate. Add --cert <file>.');
  if (flags['https'] === true && options.selfSigned !== true && options.certPath === undefined)
    throw wrong('--https needs a certificate. Add --self-signed to have one made, or --cert <file> with --key <file>.');
}

function wrong(message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', message);
}
