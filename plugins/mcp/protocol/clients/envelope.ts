import { describeValue, isPlainObject } from '../../../../kernel/index.ts';
import { errorCodes } from '../../../shared/json-rpc/message.ts';
import { RpcError } from '../../../shared/json-rpc/rpc-error.ts';
import type { ClientCapabilities, LogLevel } from '../../../shared/mcp-sdk/types.ts';
import { mcpErrorCodes } from '../errors.ts';
import { logLevels } from '../log-levels.ts';
import { requestVersions } from '../revisions.ts';
import { isCapabilities, isClientInfo } from './client-description.ts';

/** Keys of `_meta` (MCP 2026-07-28, Base Protocol, Metadata). */
export const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  client: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  server: 'io.modelcontextprotocol/serverInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** A request's description of its client. */
export interface Envelope {
  readonly version: string;
  readonly capabilities: ClientCapabilities;
  /** Name of the client, where it sends one. */
  readonly name?: string;
  /** Least severe log level that the client wants for this request; absent when it wants no log. */
  readonly logLevel?: LogLevel;
}

/** Returns true when the parameters name a protocol version, as every request without a session does. */
export function hasEnvelope(params: unknown): boolean {
  return isPlainObject(params) && isPlainObject(params['_meta']) && Object.hasOwn(params['_meta'], metaKeys.version);
}

/** Returns the protocol version in the parameters, unchecked; undefined when there is none. */
export function requestedVersion(params: unknown): unknown {
  return hasEnvelope(params) ? (params as { _meta: Record<string, unknown> })._meta[metaKeys.version] : undefined;
}

/** Reads the envelope. Throws -32602 for a missing or malformed member, and -32022 for an unsupported version. */
export function readEnvelope(params: unknown): Envelope {
  const meta = isPlainObject(params) && isPlainObject(params['_meta']) ? params['_meta'] : {};
  const { [metaKeys.version]: version, [metaKeys.capabilities]: capabilities, [metaKeys.client]: client } = meta;
  const logLevel = meta[metaKeys.logLevel];
  const isComplete = typeof version === 'string' && isCapabilities(capabilities) && isClient(client) && isLogLevel(logLevel);
  if (!isComplete) throw malformed(meta);
  if (!requestVersions.includes(version)) throw unsupportedVersion(version);
  return {
    version,
    capabilities,
    ...(client === undefined ? {} : { name: client.name }),
    ...(logLevel === undefined ? {} : { logLevel }),
  };
}

function malformed(meta: Readonly<Record<string, unknown>>): RpcError {
  const { [metaKeys.version]: version, [metaKeys.capabilities]: capabilities, [metaKeys.client]: client } = meta;
  const logLevel = meta[metaKeys.logLevel];
  const issue = [
    ...(typeof version === 'string' ? [] : [problem(metaKeys.version, 'a text', version)]),
    ...(isCapabilities(capabilities) ? [] : [problem(metaKeys.capabilities, 'an object of objects', capabilities)]),
    ...(isClient(client) ? [] : [problem(metaKeys.client, 'an object with "name" and "version"', client)]),
    ...(isLogLevel(logLevel) ? [] : [problem(metaKeys.logLevel, `one of ${logLevels.join(', ')}`, logLevel)]),
  ];
  return new RpcError(errorCodes.invalidParams, `"_meta" of the request is wrong: ${issue.join('; ')}.`);
}

/** Returns the error -32022, which lists the supported versions. */
export function unsupportedVersion(requested: string): RpcError {
  return new RpcError(
    mcpErrorCodes.unsupportedVersion,
    `The version "${requested.slice(0, 100)}" of the protocol is not supported. Expected one of ${requestVersions.join(', ')}.`,
    { supported: requestVersions, requested },
  );
}

function isClient(client: unknown): client is { readonly name: string; readonly version: string } | undefined {
  return client === undefined || isClientInfo(client);
}

function isLogLevel(level: unknown): level is LogLevel | undefined {
  return level === undefined || logLevels.includes(level as LogLevel);
}

function problem(key: string, expected: string, received: unknown): string {
  return `${key}: expected ${expected}, received ${describeValue(received)}`;
}
