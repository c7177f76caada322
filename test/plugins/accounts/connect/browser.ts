import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

const visit = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

/** A page as a browser got it. */
export interface Visit {
  readonly status: number;
  readonly text: string;
  readonly location: string;
  readonly headers: Headers;
}

/** A browser: keeps cookies, follows no redirects, and says that a person visits. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #origin: { readonly url: string };

  /** `origin`: the address that stands for every host of a site. */
  constructor(origin: { readonly url: string }) {
    this.#origin = origin;
  }

  open(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Visit> {
    return this.#request(address, { ...visit, ...headers });
  }

  /** Sends the form of a page. */
  submit(address: string, fields: Readonly<Record<string, string>>): Promise<Visit> {
    return this.#request(address, visit, new URLSearchParams(fields).toString());
  }

  /** Opens a link, and goes on to the provider. Returns the provider's address. */
  async goOn(link: string): Promise<string> {
    const page = await this.open(link);
    const sent = await this.submit(link, { token: tokenIn(page.text) });
    if (sent.status !== 303)
      throw new Error(`the form was answered with ${sent.status}: ${sent.text}; its page was ${page.status}: ${page.text}`);
    return sent.location;
  }

  /** Not by `fetch`, which writes its own `sec-fetch` headers. */
  async #request(address: string, headers: Readonly<Record<string, string>>, body?: string): Promise<Visit> {
    const { pathname, search } = new URL(address);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = request(`${this.#origin.url}${pathname}${search}`, {
      method: body === undefined ? 'GET' : 'POST',
      agent: false,
      headers: {
        ...headers,
        ...(cookie === '' ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded', origin: this.#origin.url }),
      },
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    for (const line of response.headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      this.cookies.set(name, value);
    }
    const received = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
    return { status: response.statusCode ?? 0, text: await text(response), location: received.get('location') ?? '', headers: received };
  }
}

/** The token of the form of a page. */
export function tokenIn(page: string): string {
  return /name="token" value="([\w-]+)"/.exec(page)?.[1] ?? '';
}

/** The code that a page shows. */
export function codeIn(page: string): string {
  return /<p class="code">([^<]+)<\/p>/.exec(page)?.[1] ?? '';
}
