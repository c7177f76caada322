import { expect } from 'chai';
import { telemetry } from '../../../../plugins/telemetry/index.ts';
import { send, token, wireServer } from '../../mcp/support/wire.ts';
import { WireClient } from '../../mcp/support/wire-client.ts';
import { seriesOf } from './metrics-text.ts';

describe('/metrics on the MCP server', () => {
  it('shows the calls, the process and the version to the operator', async () => {
    const { port } = await wireServer({ more: [telemetry()] });
    const client = await WireClient.open(port);
    await client.request('tools/call', { name: 'echo', arguments: { text: 'a' } });
    const { status, headers, body } = await send(port, { method: 'GET', path: '/metrics' });
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/plain; version=0.0.4; charset=utf-8');
    const series = seriesOf(body);
    expect(series.get('toolkit_calls_total{tool="echo",outcome="completed"}')).to.equal(1);
    expect(token).to.be.a('string');
  });
});
