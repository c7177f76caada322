export type RequestId = string | number;

export type Parameters = Readonly<Record<string, unknown>>;

export interface Request {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Parameters | undefined;
}

export interface Notification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: Parameters | undefined;
}

export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type Response = { readonly jsonrpc: '2.0'; readonly id: RequestId } & (
  | { readonly result: object }
  | { readonly error: ErrorObject }
);

export type Message = Request | Notification | Response;

/** Error codes of JSON-RPC 2.0, section 5.1, then those of MCP 2026-07-28, Base Protocol, Error Codes. */
export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** Supported versions of the protocol with sessions, newest first. */
export const protocolVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

export function isRequest(message: object | undefined): message is Request {
  const { method, id } = (message ?? {}) as Partial<Request>;
  return method !== undefined && id !== undefined;
}
