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
    return this.#request(address, { headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', ...headers } });
  }

  /** Sends the form of a page. */
  submit(address: string, fields: Readonly<Record<string, string>>): Promise<Visit> {
    return this.#request(address, { method: 'POST', body: new URLSearchParams(fields), headers: { 'sec-fetch-mode': 'navigate' } });
  }

  /** Opens a link, and goes on to the provider. Returns the provider's address. */
  async goOn(link: string): Promise<string> {
    const { text } = await this.open(link);
    return (await this.submit(link, { token: tokenIn(text) })).location;
  }

  async #request(address: string, init: RequestInit): Promise<Visit> {
    const { pathname, search } = new URL(address);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${this.#origin.url}${pathname}${search}`, {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string>), ...(cookie === '' ? {} : { cookie }) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      this.cookies.set(name, value);
    }
    return {
      status: response.status,
      text: await response.text(),
      location: response.headers.get('location') ?? '',
      headers: response.headers,
    };
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
