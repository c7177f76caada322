import { excerpt, parseUrl, ToolkitError, toUrl } from '../../kernel/index.ts';
import { isLoopback, isSecure } from '../shared/http/loopback.ts';
import type { ConsoleOptions } from './options.ts';

/** Refuses options that no schema can: each with the option, the expected and the received value. Throws CONFIG_INVALID. */
export function checkOptions({ listen, openid }: ConsoleOptions): void {
  if (openid !== undefined) {
    const url = parseUrl(openid.issuer);
    const isPlain = url !== undefined && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
    if (!isPlain || !isSecure(url))
      throw invalid('openid.issuer', 'an https URL without query and fragment (http on loopback)', JSON.stringify(openid.issuer));
  }
  if (listen !== undefined) {
    const { host = '127.0.0.1', tls } = listen;
    if (!isLoopback(host) && tls === undefined)
      throw invalid(
        'listen.host',
        'a loopback address, or "listen.tls" beside it ({ selfSigned: true }, or the files { cert, key }), because codes and cookies can be read on the way',
        JSON.stringify(host),
      );
  }
}

/** Refuses an address at which codes and cookies can be read on the way. Throws CONFIG_INVALID. */
export function checkAddress(baseUrl: string): void {
  if (isSecure(toUrl(baseUrl))) return;
  throw new ToolkitError(
    'CONFIG_INVALID',
    `The console cannot be at ${baseUrl}: codes and cookies can be read on the way. Use HTTPS (--cert and --key, or --self-signed), give "resource" as the https URL of the proxy before it, or give console() a listener of its own: listen: { port: 4900 }.`,
  );
}

function invalid(option: string, expected: string, received: string): ToolkitError {
  return new ToolkitError('CONFIG_INVALID', `Option "${option}" of console(): expected ${expected}, received ${excerpt(received)}.`, {
    plugin: 'console',
  });
}
