import { expect } from 'chai';
import { send, wireServer } from '../../support/wire.ts';

describe('a connection to the server over which nothing is sent', () => {
  it('is kept for longer than a client is busy with what it got', async () => {
    const { port } = await wireServer();
    const { headers } = await send(port, { method: 'GET', path: '/health', headers: { connection: 'keep-alive' } });
    expect(headers['keep-alive']).to.equal('timeout=75');
  });
});
