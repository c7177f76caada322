import type { Transport } from '../transport.ts';
import { type HttpOptions, httpOptions } from './options.ts';

/** Streamable HTTP: any number of clients at one address, over TLS where the options say so. */
export const http = {
  options: httpOptions,
  ownsStdout: false,
  async start(settings) {
    const { startHttp } = await import('./start-http.ts');
    return startHttp(settings);
  },
} as const satisfies Transport<HttpOptions>;
