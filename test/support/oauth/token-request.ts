import type { IncomingMessage } from 'node:http';
import type { Parameters } from './token-grants.ts';

/** A request to the token endpoint, as it came. */
export interface TokenRequestSeen {
  readonly grant: string;
  readonly parameters: Parameters;
  readonly headers: IncomingMessage['headers'];
}

/** Returns the parameters of a request, with the client of an Authorization header. */
export function parametersOf({ headers }: IncomingMessage, body: Buffer): Parameters {
  const text = body.toString();
  const parameters = headers['content-type']?.startsWith('application/json')
    ? JSON.parse(text)
    : Object.fromEntries(new URLSearchParams(text));
  const [, basic] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? [];
  if (basic === undefined) return parameters;
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent);
  return { ...parameters, client_id: id, client_secret: secret };
}
