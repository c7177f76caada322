import type { ServerResponse } from 'node:http';
import { toUrl } from '../../../../../kernel/index.ts';

const wellKnown = '/.well-known/oauth-protected-resource';

/** Time that a client may cache the metadata, in seconds. */
const maxAgeS = 300;

/** Returns the URL of a resource's metadata (RFC 9728, 3.1): the well-known part comes before the resource's path. */
export function metadataUrl(resource: string): string {
  const { origin, pathname } = toUrl(resource);
  return `${origin}${wellKnown}${pathname === '/' ? '' : pathname}`;
}

/**
 * Returns true for a path of the metadata: that of its URL, the same behind a proxy that strips a prefix, and the well-known part alone
 * (MCP, Protected Resource Metadata).
 */
export function isMetadataPath(path: string, resource: string): boolean {
  return path === wellKnown || path === `${wellKnown}/mcp` || path === toUrl(metadataUrl(resource)).pathname;
}

export interface ResourceMetadata {
  readonly resource: string;
  readonly issuers: readonly string[];
  readonly scopes: readonly string[];
}

export function sendMetadata(response: ServerResponse, { resource, issuers, scopes }: ResourceMetadata): void {
  const document = {
    resource,
    authorization_servers: issuers,
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
    resource_name: 'toolkit',
  };
  response
    .writeHead(200, { 'content-type': 'application/json', 'cache-control': `public, max-age=${maxAgeS}`, vary: 'Origin' })
    .end(JSON.stringify(document));
}
