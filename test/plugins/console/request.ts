import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Sent {
  /** @default 'GET' */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Address of the sender, one of 127.0.0.0/8. @default '127.0.0.1' */
  readonly from?: string;
}

/** Sends a request as it is: the path is not normalized. Reads the whole answer. */
export async function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, from = '127.0.0.1' }: Sent = {},
): Promise<Answer> {
  const response = await begin(port, path, { method, headers, from, ...(body === undefined ? {} : { body }) });
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}

/** Sends a request, and resolves with the head of its answer, whose body comes later or never ends. */
export function begin(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, from = '127.0.0.1' }: Sent = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpRequest({ host: '127.0.0.1', port, path, method, headers, localAddress: from, agent: false }, resolve)
      .once('error', reject)
      .end(body);
  });
}

/** Sends these lines as one request, for what no HTTP client sends. Reads the whole answer. */
export async function askRaw(port: number, lines: readonly string[], body = ''): Promise<Answer> {
  const socket = connect(port, '127.0.0.1');
  // Not ended: a server may take that for a client that is gone.
  socket.write([...lines, 'Connection: close', '', body].join('\r\n'));
  const received = await text(socket);
  const [head = '', ...rest] = received.split('\r\n\r\n');
  const [statusLine = '', ...headerLines] = head.split('\r\n');
  const headers: IncomingHttpHeaders = {};
  for (const line of headerLines) headers[line.slice(0, line.indexOf(':')).toLowerCase()] = line.slice(line.indexOf(':') + 1).trim();
  return { status: Number(statusLine.split(' ')[1] ?? 0), headers, body: rest.join('\r\n\r\n') };
}

/** Returns the cookies that an answer sets, as a browser sends them. */
export function cookiesOf({ headers }: Pick<Answer, 'headers'>): string {
  return (headers['set-cookie'] ?? []).map((line) => line.split(';')[0] ?? '').join('; ');
}

/** Returns the JSON of an answer of the console. */
export function jsonOf<T>({ body }: Answer): T {
  // No number: an answer of the console.
  return JSON.parse(body) as T;
}
