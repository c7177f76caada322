import { excerpt, parseUrl, ToolkitError } from '../../../../../kernel/index.ts';
import { isSecure } from '../../../../shared/http/loopback.ts';

/** Throws CONFIG_INVALID for a URL of the configuration that nothing may be sent to, or fetched from. `place` is the option. */
export function checkUrl(place: string, text: string): void {
  const url = parseUrl(text);
  if (url !== undefined && isSecure(url) && url.username === '' && url.password === '' && url.hash === '') return;
  throw new ToolkitError(
    'CONFIG_INVALID',
    `${place} is no URL that can be used: expected https:// (http:// on loopback only) without user and fragment, received "${excerpt(text)}". Correct it.`,
  );
}

/** A URL that the issuer's metadata names. Throws UPSTREAM_UNAVAILABLE where it is not as safe as the issuer's own. */
export function endpointUrl(issuer: string, name: string, value: unknown): string {
  const url = typeof value === 'string' ? parseUrl(value) : undefined;
  const isLocal = issuer.startsWith('http:');
  if (url !== undefined && (isLocal ? isSecure(url) : url.protocol === 'https:') && url.username === '') return url.href;
  throw new ToolkitError(
    'UPSTREAM_UNAVAILABLE',
    `The metadata of the issuer ${issuer} has no usable "${name}": expected a URL with https. Correct it there, or name the URL in "issuers".`,
  );
}
