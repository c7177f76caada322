import type { ServerResponse } from 'node:http';
import { toUrl } from '../../../../../kernel/index.ts';
import { resourceMetadataUrl, resourceWellKnown } from '../../../../shared/oauth/well-known.ts';

/** Time that a client may cache the metadata, in seconds. */
const maxAgeS = 300;

/**
 * Returns true for a path of the metadata: that of its URL, the same behind a proxy that strips a prefix, and the well-known part alone
 * (MCP, Protected Resource Metadata).
 */
export function isMetadataPath(path: string, resource: string): boolean {
  return path === resourceWellKnown || path === `${resourceWellKnown}/mcp` || path === toUrl(resourceMetadataUrl(resource)).pathname;
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
