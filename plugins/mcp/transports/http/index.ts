import path from 'node:path';
import type { Transport } from '../transport.ts';
import { requireScopes } from './authorization/scope-gate.ts';
import { httpOptions } from './options.ts';
import { credentialsByToken, warnOfUnused } from './token-credentials.ts';

/** Streamable HTTP: any number of clients at one address, over TLS where the options say so. */
export interface HttpTransport extends Transport<typeof httpOptions> {}

export const http: HttpTransport = {
  options: httpOptions,
  ownsStdout: false,
  prepare(api, options) {
    const { certPath, keyPath, tokensFile, accessLog } = options;
    const protect = (file: string | undefined, use: { readonly what: string; readonly read?: false }): void => {
      if (file !== undefined) api.extend.controlFiles(path.resolve(api.cwd, file), use);
    };
    const credentialsOf = credentialsByToken(options);
    if (credentialsOf !== undefined) api.extend.callerCredentials(credentialsOf);
    requireScopes(api, options);
    protect(certPath, { what: 'the certificate of the server and its key', read: false });
    protect(keyPath, { what: 'the certificate of the server and its key', read: false });
    protect(tokensFile, { what: 'the tokens of the server', read: false });
    if (accessLog !== 'log') protect(accessLog, { what: 'the access log' });
  },
  warn: ({ kernel, logger }, options) => warnOfUnused(options, kernel, logger),
  async start(settings) {
    const { startHttp } = await import('./start-http.ts');
    return startHttp(settings);
  },
};
