import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { startSecretsManager } from '../../fixtures/servers/aws-secrets-manager.ts';
import { startGitHub } from '../../fixtures/servers/github.ts';
import { startVault } from '../../fixtures/servers/vault.ts';
import { loopback } from './loopback.ts';

interface StandIn {
  readonly url: string;
  readonly requests: readonly unknown[];
  close?(): Promise<void>;
}

const servers: readonly { readonly what: string; start(): Promise<StandIn> }[] = [
  { what: 'the server of the tests', start: () => loopback((_request, response) => response.end()) },
  { what: 'the stand-in for Vault', start: () => startVault() },
  { what: 'the stand-in for Secrets Manager', start: () => startSecretsManager() },
  { what: 'the stand-in for GitHub', start: () => startGitHub() },
];

describe('a client that goes in the middle of its request', () => {
  for (const { what, start } of servers) {
    it(`is no failure of ${what}, which goes on`, async () => {
      const server = await start();
      const { url, requests } = server;
      const rejections: unknown[] = [];
      const others = process.listeners('unhandledRejection');
      process.removeAllListeners('unhandledRejection').on('unhandledRejection', (reason) => rejections.push(reason));
      try {
        const socket = connect(Number(new URL(url).port), '127.0.0.1');
        socket.write('POST /x HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\nhalf');
        // The server says that it wants the rest: it reads.
        await once(socket, 'data');
        socket.destroy();
        await once(socket, 'close');
        await (await fetch(`${url}/whole`, { method: 'POST', body: 'whole' })).text();
        expect(requests).to.have.length(1);
        expect(rejections).to.deep.equal([]);
      } finally {
        process.removeAllListeners('unhandledRejection');
        for (const listener of others) process.on('unhandledRejection', listener);
        await server.close?.();
      }
    });
  }
});
