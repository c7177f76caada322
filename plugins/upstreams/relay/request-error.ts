import {
  type ErrorCode,
  excerpt,
  type JsonObject,
  type JsonValue,
  messageOf,
  sentence,
  type Tool,
  ToolkitError,
} from '../../../kernel/index.ts';
import { connectionError, statusOf } from '../connect/connection-error.ts';
import { NotSentError } from '../connect/not-sent-error.ts';
import type { Connection } from '../connection.ts';

/** Codes of JSON-RPC and MCP that say more than that the tool failed. */
const codes: Readonly<Record<number, ErrorCode>> = { [-32602]: 'INVALID_PARAMETERS', [-32601]: 'NOT_FOUND', [-32002]: 'NOT_FOUND' };

/** Codes that say something about what was asked, not about the connection to the server: the caller of a prompt or a resource gets them as they are. */
const relayedCodes: ReadonlySet<number> = new Set([-32602, -32603, -32002]);

function rpcErrorOf(error: unknown, code: number): JsonObject {
  const { data } = error as { readonly data?: JsonValue };
  return { code, message: messageOf(error), ...(data === undefined ? {} : { data }) };
}

export interface RequestError {
  readonly error: ToolkitError;
  /** True when the server certainly did not take the request: it no longer knows the session, or has ended before. */
  readonly isNotTaken: boolean;
}

/** Returns the error of a request: that of the server, or that of the connection. */
export function requestError(error: unknown, server: string, tool: Tool | undefined, connection: Connection): RequestError {
  if (ToolkitError.is(error) && error.details['server'] === undefined && error.code !== 'ABORTED') return { error, isNotTaken: false };
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const name = tool === undefined ? {} : { tool: tool.name };
  if (typeof code === 'number' && code < 0) {
    const message = `The MCP server "${server}" answers: ${sentence(excerpt(messageOf(error), 1000))}`;
    const relayed = tool === undefined && relayedCodes.has(code) ? { rpcError: rpcErrorOf(error, code) } : {};
    return {
      error: new ToolkitError(codes[code] ?? 'EXECUTION_FAILED', message, { ...name, rpcCode: code, ...relayed }, { cause: error }),
      isNotTaken: false,
    };
  }
  // MCP 2025-11-25, Transports, Session Management: a new session is begun then.
  const isNotTaken = error instanceof NotSentError || (statusOf(error) === 404 && connection.isLegacy);
  const known = connectionError(error, server);
  const isUnknown = !isNotTaken && tool !== undefined && tool.annotations.readOnlyHint !== true && statusOf(error) === undefined;
  if (!isUnknown || known.code !== 'UPSTREAM_UNAVAILABLE' || connection.isOpen) return { error: known.with(name), isNotTaken };
  const message = `The MCP server "${server}" ended during the call, and whether the call had its effect cannot be known: check before you call it again.`;
  return { error: new ToolkitError('OUTCOME_UNKNOWN', message, { ...name, server }, { cause: error }), isNotTaken: false };
}
