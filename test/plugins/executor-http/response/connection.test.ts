import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import sinon from 'sinon';
import { closedPort } from '../../../support/closed-port.ts';
import { loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { httpTool } from '../http-tool.ts';

/** A server that begins to answer and never ends; `closed` resolves when its client has hung up. */
async function stalling(
  begin: (response: ServerResponse) => void,
): Promise<{ url: string; arrived: Promise<void>; closed: Promise<void> }> {
  let arrive: () => void = () => {};
  let close: () => void = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const { url } = await loopback((_request, response) => {
    response.on('close', close);
    begin(response);
    arrive();
  });
  return { url, arrived, closed };
}

const stalls = [
  { when: 'before the headers', begin: () => {} },
  { when: 'in the middle of the body', begin: (response: ServerResponse) => void response.writeHead(200).write('{"half":') },
  { when: 'in the middle of an error page', begin: (response: ServerResponse) => void response.writeHead(500).write('half') },
];

describe('executor-http: connection', () => {
  afterEach(() => sinon.restore());

  for (const { when, begin } of stalls) {
    it(`ends with TIMEOUT and hangs up when the service stalls ${when}`, async () => {
      const { url, arrived, closed } = await stalling(begin);
      const call = await httpTool({ execution: { url, timeout_ms: 5000 } });
      const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const running = rejection(call(), 'TIMEOUT');
      await arrived;
      clock.tick(5000);
      const error = await running;
      expect(error.message).to.include('did not end within 5000 ms');
      expect(error.retryable).to.equal(true);
      await closed;
    });

    it(`ends with ABORTED and hangs up when the caller cancels and the service stalls ${when}`, async () => {
      const { url, arrived, closed } = await stalling(begin);
      const call = await httpTool({ execution: { url } });
      const controller = new AbortController();
      const running = rejection(call({}, { signal: controller.signal }), 'ABORTED');
      await arrived;
      controller.abort();
      await running;
      await closed;
    });
  }

  it('says that nobody listens', async () => {
    const port = await closedPort();
    const call = await httpTool({ execution: { url: `http://127.0.0.1:${port}/` } });
    const error = await rejection(call(), 'UPSTREAM_UNAVAILABLE');
    expect(error.message).to.include(`"probe" got no whole answer from 127.0.0.1:${port}: ECONNREFUSED`);
    expect({ tool: error.details.tool, retryable: error.retryable }).to.deep.equal({ tool: 'probe', retryable: true });
  });

  const breaks = [
    { when: 'before the headers', answer: (response: ServerResponse) => void response.destroy() },
    {
      when: 'in the middle of a body of known length',
      answer: (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"half":', () => response.destroy());
      },
    },
    {
      when: 'in the middle of a chunked body',
      answer: (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        response.write('half', () => response.destroy());
      },
    },
    { when: 'by an answer that is not HTTP', answer: (response: ServerResponse) => void response.socket?.end('SSH-2.0-OpenSSH\r\n') },
  ];
  for (const { when, answer } of breaks) {
    it(`says that the service is unavailable when the connection breaks ${when}`, async () => {
      const { url } = await loopback((_request, response) => answer(response));
      const call = await httpTool({ execution: { url } });
      const error = await rejection(call(), 'UPSTREAM_UNAVAILABLE');
      expect(error.message).to.include(`"probe" got no whole answer from ${new URL(url).host}`);
    });
  }
});
