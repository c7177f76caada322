import type { Transport } from '../transport.ts';
import { httpOptions } from './options.ts';

/** Streamable HTTP: any number of clients at one address, over TLS where the options say so. */
export interface HttpTransport extends Transport<typeof httpOptions> {}

export const http: HttpTransport = {
  options: httpOptions,
  ownsStdout: false,
  async start(settings) {
    const { startHttp } = await import('./start-http.ts');
    return startHttp(settings);
  },
};
