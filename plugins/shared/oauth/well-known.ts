import { toUrl } from '../../../kernel/index.ts';

/**
 * Returns the addresses of an authorization server's metadata in order: RFC 8414, 3.1, then OpenID Connect with the issuer's path after and before
 * the well-known part.
 */
export function serverMetadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = toUrl(issuer);
  const path = pathname.replace(/\/$/, '');
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(urls)];
}

/** The well-known part of the address of a resource's metadata. */
export const resourceWellKnown = '/.well-known/oauth-protected-resource';

/** Returns the address of a resource's metadata (RFC 9728, 3.1): the well-known part comes before the resource's path. */
export function resourceMetadataUrl(resource: string): string {
  const { origin, pathname } = toUrl(resource);
  return `${origin}${resourceWellKnown}${pathname === '/' ? '' : pathname}`;
}
