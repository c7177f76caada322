import { type Logger, parseUrl, ToolkitError } from '../../kernel/index.ts';
import { isSecure } from '../shared/http/loopback.ts';

/** Throws PLUGIN_INVALID for an endpoint that is not the URL of a server. Warns about a URL without encryption. */
export function checkEndpoint(endpoint: string, logger: Logger): void {
  const url = parseUrl(endpoint);
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    const expected = 'a URL such as https://vpce-0a1b.secretsmanager.eu-central-1.vpce.amazonaws.com, without user name and password';
    throw new ToolkitError('PLUGIN_INVALID', `The option "endpoint" of secrets-aws is wrong: expected ${expected}. Correct it.`);
  }
  if (!isSecure(url)) {
    logger.warn(`secrets-aws reads secrets from ${url.origin} without encryption: everybody on the way can read them. Use https.`);
  }
}
