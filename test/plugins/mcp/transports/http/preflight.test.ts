import { EventEmitter } from 'node:events';
import { type IncomingMessage, Server } from 'node:http';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import sinon from 'sinon';
import { afterEach } from '../../../../support/after-each.ts';
import { echoTool } from '../../../../support/test-kernel.ts';
import { modernRequest } from '../../support/modern-wire.ts';
import { dispatch, type Outgoing, send, wireServer } from '../../support/wire.ts';
import { WireClient } from '../../support/wire-client.ts';

/** A page cannot set them (Fetch standard, forbidden request-header). */
const forbidden = /^(accept-encoding|access-control-.*|connection|content-length|expect|host|origin|transfer-encoding|upgrade)$/;

/** A tool with a parameter that clients repeat in a header. */
const regional = echoTool({
  name: 'regional',
  parameters: undefined,
  input_schema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
});

afterEach(() => sinon.restore());

/** The names of all headers that are read of requests from now on. */
function readHeaders(): ReadonlySet<string> {
  const read = new Set<string>();
  const watch = (request: IncomingMessage): void => {
    const { headers } = request;
    const get = (of: typeof headers, name: string | symbol): unknown => {
      if (typeof name === 'string') read.add(name);
      return Reflect.get(of, name);
    };
    Object.defineProperty(request, 'headers', { value: new Proxy(headers, { get }) });
  };
  sinon.stub(Server.prototype, 'emit').callsFake(function (this: Server, event: string, ...given: unknown[]) {
    if (event === 'request') watch(given[0] as IncomingMessage);
    return EventEmitter.prototype.emit.call(this, event, ...given);
  });
  return read;
}

describe('a preflight', () => {
  it('allows every header that the endpoint reads and a page can set', async () => {
    const { port } = await wireServer({}, [regional]);
    const client = await WireClient.open(port);
    const read = readHeaders();
    const call = { name: 'regional', arguments: { region: 'eu' } };
    const requests: readonly Outgoing[] = [
      { headers: client.headers, body: '{"jsonrpc":"2.0","id":1,"method":"resources/list"}' },
      { headers: client.headers, body: '[]' },
      { method: 'GET', headers: { ...client.headers, 'last-event-id': '00000000.1' } },
      { method: 'GET', path: '/health' },
      modernRequest({ method: 'tools/call', params: call, headers: { 'mcp-param-region': 'eu' } }),
      { method: 'DELETE', headers: client.headers },
    ];
    for (const request of requests) await send(port, request);
    const needed = [...read].filter((name) => !forbidden.test(name));
    const asked = { origin: 'http://localhost', 'access-control-request-headers': needed.join(', ') };
    const { headers } = await dispatch(port, { method: 'OPTIONS', headers: asked });
    const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(', ');
    expect(needed).to.include.members(['mcp-session-id', 'mcp-method', 'mcp-param-region', 'last-event-id', 'content-encoding']);
    expect(allowed).to.include.members(needed);
  });
});
