import { isPlainObject, type JsonObject } from '../../../kernel/index.ts';

/** The member with which a server names itself to its own client (MCP 2026-07-28, Base Protocol, `_meta`). The caller's server is this program. */
const serverInfo = 'io.modelcontextprotocol/serverInfo';

/**
 * Returns the `_meta` of a result, a question or an answer for the other side, as a member, without what is of the connection; nothing where none is
 * left. Traces are of the connection too: this program tells each side its own place in the trace, and `tracestate` and `baggage` stay where they are.
 */
export function relayedMeta(given: unknown): { readonly _meta?: JsonObject } {
  if (!isPlainObject(given)) return {};
  const { [serverInfo]: _server, progressToken: _token, traceparent: _parent, tracestate: _state, baggage: _baggage, ...meta } = given;
  return Object.keys(meta).length === 0 && Object.keys(given).length > 0 ? {} : { _meta: meta as JsonObject };
}
