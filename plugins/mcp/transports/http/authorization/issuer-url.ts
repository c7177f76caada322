import { excerpt, parseUrl, ToolkitError } from '../../../../../kernel/index.ts';
import { isSecure } from '../../../../shared/http/loopback.ts';

/** Throws CONFIG_INVALID for an unsafe URL in the configuration. `optionPath`: name of the option. */
export function checkUrl(optionPath: string, text: string): void {
  const url = parseUrl(text);
  if (url !== undefined && isSecure(url) && url.username === '' && url.password === '' && url.hash === '') return;
  throw new ToolkitError(
    'CONFIG_INVALID',
    `${optionPath} is no URL that can be used: expected https:// (http:// on loopback only) without user and fragment, received "${excerpt(text)}". Correct it.`,
  );
}

/** Returns a URL from the issuer's metadata. Throws UPSTREAM_UNAVAILABLE when it is less safe than the issuer's own URL. */
export function endpointUrl(issuer: string, name: string, value: unknown): string {
  const url = typeof value === 'string' ? parseUrl(value) : undefined;
  const isLocal = issuer.startsWith('http:');
  if (url !== undefined && (isLocal ? isSecure(url) : url.protocol === 'https:') && url.username === '') return url.href;
  throw new ToolkitError(
    'UPSTREAM_UNAVAILABLE',
    `The metadata of the issuer ${issuer} has no usable "${name}": expected a URL with https. Correct it there, or name the URL in "issuers".`,
  );
}
