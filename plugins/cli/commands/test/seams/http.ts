import { type OutboundFetch, toUrl } from '../../../../../kernel/index.ts';
import type { OutboundRequest } from '../cassette/session.ts';

/** Request headers that are not recorded: the transport sets them, or they change with each run. `cookie` is a secret of the session. */
const volatileRequestHeaders = [
  'cookie',
  'user-agent',
  'date',
  'host',
  'connection',
  'content-length',
  'accept-encoding',
  'traceparent',
  'tracestate',
];

/** Response headers that are not recorded. `set-cookie` is a secret of the session, and bodies are recorded decoded. */
const volatileResponseHeaders = [
  'set-cookie',
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'content-encoding',
  'transfer-encoding',
];

interface Message {
  readonly headers: Headers;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Converts an HTTP request to `{method, url, headers, …body}`. The order of query, headers and form members does not matter. */
export async function httpRequest(next: OutboundFetch, ...given: Parameters<OutboundFetch>): Promise<OutboundRequest<Response>> {
  const [input, init] = given;
  // A body that can be read only once belongs to the service.
  const isStream = init?.body instanceof ReadableStream;
  const request = input instanceof Request ? input.clone() : new Request(input, isStream ? { ...init, body: null } : init);
  const url = toUrl(request.url);
  url.searchParams.sort();
  return {
    kind: 'http',
    request: {
      method: request.method,
      url: url.href,
      ...(await recordMessage(request, volatileRequestHeaders)),
      ...(isStream ? { text: '*' } : {}),
    },
    send: () => next(...given),
    async toRecorded(response) {
      const bytes = await response.arrayBuffer();
      const message = { headers: response.headers, arrayBuffer: async () => bytes };
      const kept = { status: response.status, ...(await recordMessage(message, volatileResponseHeaders)) };
      return { answer: responseOf(bytes, response, response.url), response: kept };
    },
    fromRecorded(response) {
      const { status, headers, ...body } = response as RecordedMessage & { readonly status: number };
      return responseOf(bytesOf(body), { status, headers: new Headers(headers) }, url.href);
    },
  };
}

/** A body in the most readable form that loses nothing. */
interface Body {
  readonly json?: unknown;
  /** Values by name. */
  readonly form?: Readonly<Record<string, readonly string[]>>;
  readonly text?: string;
  readonly base64?: string;
}

interface RecordedMessage extends Body {
  readonly headers: Readonly<Record<string, string>>;
}

async function recordMessage(message: Message, excluded: readonly string[]): Promise<RecordedMessage> {
  const headers = Object.fromEntries([...message.headers].filter(([name]) => !excluded.includes(name)));
  const type = headers['content-type'] ?? '';
  const bytes = Buffer.from(await message.arrayBuffer());
  if (bytes.length === 0) return { headers };
  // Own text: compared with its bytes below
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) return { headers, base64: bytes.toString('base64') };
  const [, boundary] = /^multipart\/.*\bboundary="?([^";]+)/i.exec(type) ?? [];
  if (boundary !== undefined)
    return { headers: { ...headers, 'content-type': type.replaceAll(boundary, 'boundary') }, text: text.replaceAll(boundary, 'boundary') };
  if (/^application\/x-www-form-urlencoded/i.test(type)) return { headers, form: formOf(text) };
  return { headers, ...(/[/+]json\b/i.test(type) ? jsonBody(text) : { text }) };
}

function formOf(text: string): Readonly<Record<string, readonly string[]>> {
  const form = new URLSearchParams(text);
  return Object.fromEntries([...new Set(form.keys())].map((name) => [name, form.getAll(name)]));
}

/** Parses a JSON body, unless it has numbers that JavaScript may not hold exactly. */
function jsonBody(text: string): Body {
  try {
    // No number: of 16 digits stands in it.
    return /\d{16}/.test(text) ? { text } : { json: JSON.parse(text) as unknown };
  } catch {
    return { text };
  }
}

function bytesOf({ json, form, text, base64 }: Body): string | Buffer | undefined {
  if (json !== undefined) return JSON.stringify(json);
  if (form !== undefined) {
    const pairs = Object.entries(form).flatMap(([name, values]) => values.map((value): [string, string] => [name, value]));
    return new URLSearchParams(pairs).toString();
  }
  return base64 === undefined ? text : Buffer.from(base64, 'base64');
}

/** Creates a response with a `url`, which only fetch can set: the constructor does not take it. */
function responseOf(
  body: string | Buffer | ArrayBuffer | undefined,
  init: { readonly status: number; readonly headers: Headers },
  url: string,
): Response {
  const isEmpty = [204, 205, 304].includes(init.status);
  const headers = new Headers(init.headers);
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  const response = new Response(isEmpty ? null : (body ?? null), { status: init.status, headers });
  return Object.defineProperty(response, 'url', { value: url });
}
