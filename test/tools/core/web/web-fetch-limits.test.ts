import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { inRound } from '../../../support/round.ts';
import { stopped } from '../../../support/stopped.ts';
import { fetchPage, send } from './fetching.ts';

const { sharedCoreToolkit } = coreGroup('web', 'time', 'crypto');

describe('web_fetch with limits', () => {
  const sizes = [
    { text: '12345', max_bytes: 5, content: '12345', truncated: false },
    { text: '12345', max_bytes: 4, content: '1234', truncated: true },
    { text: 'aü漢👋', max_bytes: 9, content: 'aü漢', truncated: true },
    { text: 'aü漢👋', max_bytes: 2, content: 'a', truncated: true },
    { text: 'aü漢👋', max_bytes: 10, content: 'aü漢👋', truncated: false },
    { text: '', max_bytes: 1, content: '', truncated: false },
  ];
  for (const { text, max_bytes, content, truncated } of sizes) {
    it(`gives "${content}" when at most ${max_bytes} bytes of "${text}" may be read`, async () => {
      const server = await loopback((_, response) => send(response, text, 'text/plain'));
      const fetched = await fetchPage(server.url, { max_bytes });
      expect({ content: fetched.content, truncated: fetched.truncated }).to.deep.equal({ content, truncated });
    });
  }

  it('makes sense of a page that ends in the middle of a tag', async () => {
    const server = await loopback((_, response) => send(response, '<title>T</title><h1>Head</h1><p>text <a href="/long'));
    const { content, title, truncated } = await fetchPage(server.url, { max_bytes: 48 });
    expect({ content, title, truncated }).to.deep.equal({ content: '# Head\n\ntext', title: 'T', truncated: true });
  });

  it('counts what comes out of compression', async () => {
    const bomb = gzipSync('0'.repeat(20_000_000));
    expect(bomb.byteLength).to.be.below(50_000);
    const server = await loopback((_, response) =>
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(bomb),
    );
    const { content, truncated } = await fetchPage(server.url);
    expect({ length: content.length, truncated }).to.deep.equal({ length: 1_048_576, truncated: true });
  });

  it('stops reading an answer that never ends, and lets go of the connection', async () => {
    let closed: Promise<unknown> = Promise.reject(new Error('nothing was asked'));
    closed.catch(() => {});
    const server = await loopback((_, response) => {
      closed = once(response, 'close');
      response.writeHead(200, { 'content-type': 'text/plain' });
      writeOn(response);
    });
    const { content, truncated } = await fetchPage(server.url, { max_bytes: 100_000 });
    expect({ length: content.length, truncated }).to.deep.equal({ length: 100_000, truncated: true });
    await closed;
  });

  it('ends with TIMEOUT when the server does not answer', async () => {
    const server = await loopback(() => {});
    const error = await rejection(fetchPage(server.url, { timeout_ms: 200 }), 'TIMEOUT');
    expect(error.message).to.include('was not read within 200 ms').and.to.include('timeout_ms');
    expect(error.details).to.include({ timeoutMs: 200 });
    expect(error.retryable).to.equal(true);
  });

  it('ends with TIMEOUT when the answer stops in the middle', async () => {
    const server = await loopback((_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).write('some'));
    await rejection(fetchPage(server.url, { timeout_ms: 300 }), 'TIMEOUT');
  });

  it('ends with TIMEOUT when a page takes too long to convert, and answers other calls meanwhile', async () => {
    const toolkit = await sharedCoreToolkit({ allowHosts: ['127.0.0.1'] });
    // A run of spaces on which the Markdown library takes minutes.
    let answered = (): void => {};
    const answering = new Promise<void>((resolve) => {
      answered = resolve;
    });
    const server = await loopback((_, response) => {
      send(response, `<p>${'&nbsp;'.repeat(150_000)}x</p>`);
      answered();
    });
    // Without a thread of its own the page would keep this call waiting beyond the limit of the test.
    await stopped(
      2000,
      () => toolkit.execute('web_fetch', { url: server.url, timeout_ms: 2000 }),
      () => answering.then(() => toolkit.execute('crypto_hash', { text: '' })),
    );
  });

  it('ends when the caller cancels', async () => {
    const controller = new AbortController();
    const server = await loopback(() => controller.abort());
    await rejection(fetchPage(server.url, {}, { signal: controller.signal }), 'ABORTED');
  });

  it('refuses to convert a page that is nested too deeply, and still gives its HTML', async () => {
    const deep = `<title>T</title>${'<b>'.repeat(40_000)}x`;
    const server = await loopback((_, response) => send(response, deep));
    const error = await rejection(fetchPage(server.url, { format: 'text' }), 'EXECUTION_FAILED');
    expect(error.message).to.include('cannot be turned into text').and.to.include('Ask for the format html');
    const { content } = await fetchPage(server.url, { format: 'html' });
    expect(content).to.equal(deep);
  });

  it('converts a page of very many elements', async () => {
    const count = inRound({ whole: 50_000, short: 10_000 });
    const server = await loopback((_, response) => send(response, '<p>a <b>b</b></p>'.repeat(count)));
    const { content } = await fetchPage(server.url);
    expect(content).to.equal(Array.from({ length: count }, () => 'a **b**').join('\n\n'));
  });
});

function writeOn(response: ServerResponse): void {
  while (!response.destroyed && response.write('x'.repeat(10_000)));
  if (!response.destroyed) response.once('drain', () => writeOn(response));
}
