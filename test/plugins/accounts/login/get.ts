import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

/** Sends a request to the server of an address like a browser, with any Host and target. */
export function get(address: string, target: string, { method = 'GET', host }: { method?: string; host?: string } = {}): Promise<Answer> {
  const url = new URL(address);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { host: '127.0.0.1', port: url.port, path: target, method, headers: { host: host ?? url.host } },
      (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }), reject);
      },
    );
    sent.on('error', reject).end();
  });
}
