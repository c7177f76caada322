import { createSocket, Socket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import sinon from 'sinon';
import { type DnsServer, startDnsServer } from '../../../../fixtures/servers/dns.ts';

/** Asks for the addresses (type A) of `a.example`. */
const question = Buffer.from('0007010000010000000000000161076578616d706c650000010001', 'hex');

describe('the DNS server of the tests', () => {
  let server: DnsServer | undefined;

  afterEach(async () => {
    sinon.restore();
    await server?.close();
  });

  it('takes another port where the number is free for TCP alone', async () => {
    const bind = sinon.stub(Socket.prototype, 'bind');
    bind.callThrough();
    bind.onFirstCall().callsFake(function (this: Socket) {
      setImmediate(() => this.emit('error', Object.assign(new Error('bind EADDRINUSE'), { code: 'EADDRINUSE' })));
      return this;
    });
    server = await startDnsServer({});
    expect(bind.callCount).to.equal(2);
    expect(bind.lastCall.args[0]).to.equal(server.port);
  });

  it('counts a question once that comes again because its answer was late', async () => {
    server = await startDnsServer({});
    const client = createSocket('udp4');
    for (let sent = 0; sent < 2; sent++) {
      client.send(question, server.port, '127.0.0.1');
      await once(client, 'message');
    }
    client.close();
    expect(server.asked).to.deep.equal(['a.example A']);
  });

  it('waits for the rest of a question that comes over TCP in pieces', async () => {
    server = await startDnsServer({});
    const client = connect(server.port, '127.0.0.1').setNoDelay();
    for (const byte of Buffer.concat([Buffer.from([0, question.length]), question])) {
      await new Promise((resolve) => client.write(Buffer.from([byte]), resolve));
      await new Promise(setImmediate);
    }
    const [answer] = (await once(client, 'data')) as [Buffer];
    client.destroy();
    expect(answer.subarray(2, 4)).to.deep.equal(question.subarray(0, 2));
    expect(server.asked).to.deep.equal(['a.example A over TCP']);
  });
});
