import { expect } from 'chai';
import { MemoryStore } from '../../../../kernel/state/memory-store.ts';
import { type ProbeServer, serveProbes } from '../../../../plugins/shared/health/probe-server.ts';
import { Readiness } from '../../../../plugins/shared/health/readiness.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { rejection } from '../../../support/rejection.ts';

describe('the probes of a process without a server', () => {
  const closing = new AbortController();
  let server: ProbeServer;
  before(async () => {
    const readiness = new Readiness(new MemoryStore(Date.now), memoryLogger(), { closing: closing.signal });
    server = await serveProbes({ port: 0, host: '127.0.0.1' }, readiness);
  });
  after(() => server.close());

  const asked = async (path: string, method = 'GET'): Promise<string> => {
    const response = await fetch(server.url + path, { method });
    return `${response.status} ${await response.text()}`;
  };

  for (const { path, method = 'GET', answer } of [
    { path: '/live', answer: '200 {"status":"ok"}' },
    { path: '/ready?verbose', answer: '200 {"status":"ok"}' },
    { path: '/ready', method: 'HEAD', answer: '200 ' },
    { path: '/ready', method: 'POST', answer: '405 ' },
    { path: '/', answer: '404 ' },
    { path: '/__proto__', answer: '404 ' },
  ])
    it(`answer ${method} ${path} with ${answer.slice(0, 3)}`, async () => {
      expect(await asked(path, method)).to.equal(answer);
    });

  it('say at once that the process stops', async () => {
    closing.abort();
    expect(await asked('/ready')).to.equal('503 {"status":"stopping"}');
    expect(await asked('/live')).to.equal('200 {"status":"ok"}');
  });

  it('are refused on a port that is in use', async () => {
    const port = Number(new URL(server.url).port);
    const opened = serveProbes(
      { port, host: '127.0.0.1' },
      new Readiness(new MemoryStore(Date.now), memoryLogger(), { closing: closing.signal }),
    );
    expect((await rejection(opened, 'CONFIG_INVALID')).message).to.include(`127.0.0.1:${port}: the port is in use`);
  });
});
