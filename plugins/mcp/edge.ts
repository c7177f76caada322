import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface EdgeOptions {
  readonly token: string;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly maxBodyBytes: number;
}

/** Why a request is turned away. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON-RPC error code, for refusals of a message. */
  readonly code?: number;
}

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/** Host and Origin against DNS rebinding (MCP, Streamable HTTP, Security): Host must be loopback or listed; Origin absent or listed. */
export function checkOrigin(request: IncomingMessage, { allowedHosts, allowedOrigins }: EdgeOptions): Refusal | undefined {
  const host = hostName(request.headers.host ?? '');
  if (![...loopbackHosts, ...allowedHosts].includes(host))
    return { status: 403, message: `Host "${host.slice(0, 100)}" is not allowed. Add it to allowedHosts.` };
  const { origin } = request.headers;
  if (origin === undefined || allowedOrigins.includes(origin) || isLoopbackOrigin(origin)) return undefined;
  return { status: 403, message: `Origin "${origin.slice(0, 100)}" is not allowed. Add it to allowedOrigins.` };
}

function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '');
}

function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && loopbackHosts.includes(new URL(origin).hostname);
}

/** RFC 6750, 2.1 and 3. The comparison takes the same time for every wrong token. */
export function checkBearer(request: IncomingMessage, { token }: EdgeOptions): Refusal | undefined {
  const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (given !== undefined && timingSafeEqual(digest(given), digest(token))) return undefined;
  return {
    status: 401,
    message: given === undefined ? 'A bearer token is required: send "Authorization: Bearer <token>".' : 'The bearer token is wrong.',
    headers: { 'www-authenticate': given === undefined ? 'Bearer' : 'Bearer error="invalid_token"' },
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/**
 * The body as one JSON-RPC message, or why it is not one. A body over the limit is read to its end and dropped, because a client that
 * is cut off while it sends never sees the answer; one that goes on for too long is cut off all the same.
 */
export async function readMessage(request: IncomingMessage, { maxBodyBytes }: EdgeOptions): Promise<{ message: unknown } | Refusal> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
    if (size > maxBodyBytes * 16) request.destroy();
  }
  if (size > maxBodyBytes) return { status: 413, message: `The body is larger than ${maxBodyBytes} bytes.`, code: -32600 };
  let message: unknown;
  try {
    message = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return { status: 400, message: 'The body is not valid JSON.', code: -32700 };
  }
  if (Array.isArray(message)) return { status: 400, message: 'Batches are not supported: send one message.', code: -32600 };
  return { message };
}
