import {
  isPlainObject,
  type JsonObject,
  type ReadContext,
  type ReadResult,
  type ResourceContent,
  ToolkitError,
} from '../../../kernel/index.ts';
import { shownUri } from '../../shared/telemetry/shown-uri.ts';
import type { Upstream } from '../upstream.ts';
import { relayedMeta } from './relayed-meta.ts';
import { request } from './request.ts';

/** Reads a resource on its server. Returns the contents as they were sent. */
export async function readResource(upstream: Upstream, uri: string, context: ReadContext): Promise<ReadResult> {
  const traced = { method: 'resources/read', attributes: { 'mcp.resource.uri': shownUri(upstream.mask(uri)) } };
  const { contents, _meta } = await request(upstream, traced, { uri }, context);
  if (!Array.isArray(contents))
    throw new ToolkitError('EXECUTION_FAILED', `The MCP server "${upstream.settings.name}" answers without contents.`);
  return { contents: contents.filter(isPlainObject).map((content) => withoutUnknown(content as JsonObject)), ...relayedMeta(_meta) };
}

/** Keeps the members of a content that the protocol has. A media type that is none is left out. */
function withoutUnknown({ uri, mimeType, text, blob, _meta }: JsonObject): ResourceContent {
  const shared = {
    uri: String(uri),
    ...(typeof mimeType === 'string' && mimeType.includes('/') ? { mimeType } : {}),
    ...(isPlainObject(_meta) ? { _meta } : {}),
  };
  return typeof blob === 'string' ? { ...shared, blob } : { ...shared, text: String(text ?? '') };
}
