import { expect } from 'chai';
import type { ErrorCode } from '../../../../kernel/index.ts';
import { closedPort } from '../../../support/closed-port.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { fetchPage, send } from './fetching.ts';

const { coreToolkit, sharedCoreToolkit } = coreGroup('web');

describe('web_fetch that fails', () => {
  describe('because the address is not on the public internet', () => {
    for (const host of ['127.0.0.1', 'localhost', '127.1', '2130706433', '0x7f000001', '[::ffff:127.0.0.1]']) {
      it(`never reaches a server at ${host}`, async () => {
        const server = await loopback((_, response) => send(response, 'secret'));
        const toolkit = await sharedCoreToolkit();
        const url = server.url.replace('127.0.0.1', host);
        const error = await rejection(toolkit.execute('web_fetch', { url }), 'OUTBOUND_BLOCKED');
        expect(error.message).to.include('allow');
        expect(server.requests).to.deep.equal([]);
      });
    }

    it('does not follow a redirect there', async () => {
      const server = await loopback((_, response) =>
        response.writeHead(302, { location: server.url.replace('127.0.0.1', '127.0.0.2') }).end(),
      );
      await rejection(fetchPage(server.url), 'OUTBOUND_BLOCKED');
      expect(server.requests).to.have.length(1);
    });
  });

  const statuses: readonly { status: number; code: ErrorCode; headers?: Record<string, string>; retryAfterMs?: number }[] = [
    { status: 400, code: 'BAD_REQUEST' },
    { status: 401, code: 'AUTH_FAILED' },
    { status: 403, code: 'INSUFFICIENT_SCOPE' },
    { status: 403, headers: { 'retry-after': '2' }, code: 'RATE_LIMITED', retryAfterMs: 2000 },
    { status: 404, code: 'NOT_FOUND' },
    { status: 410, code: 'NOT_FOUND' },
    { status: 418, code: 'BAD_REQUEST' },
    { status: 429, code: 'RATE_LIMITED' },
    { status: 429, headers: { 'retry-after': '7' }, code: 'RATE_LIMITED', retryAfterMs: 7000 },
    { status: 429, headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, code: 'RATE_LIMITED', retryAfterMs: 0 },
    { status: 500, code: 'UPSTREAM_UNAVAILABLE' },
    { status: 503, headers: { 'retry-after': 'soon' }, code: 'UPSTREAM_UNAVAILABLE' },
  ];
  for (const { status, code, headers, retryAfterMs } of statuses) {
    it(`says ${code} for status ${status}${headers === undefined ? '' : ` with Retry-After: ${headers['retry-after']}`}, asking once`, async () => {
      const server = await loopback((_, response) => response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<p>no'));
      const error = await rejection(fetchPage(`${server.url}/x`), code);
      expect(error.message).to.include(`${server.url}/x answered ${status}: `);
      expect(error.details).to.include({ status, url: `${server.url}/x` });
      expect(error.details.retryAfterMs).to.equal(retryAfterMs);
      expect(server.requests).to.have.length(1);
    });
  }

  it('names the address after redirects', async () => {
    const server = await loopback((request, response) =>
      request.url === '/gone' ? response.writeHead(404).end() : response.writeHead(301, { location: '/gone' }).end(),
    );
    const error = await rejection(fetchPage(server.url), 'NOT_FOUND');
    expect(error.details['url']).to.equal(`${server.url}/gone`);
  });

  describe('because the content is binary', () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const contents = [
      { type: 'image/png', body: png, says: 'image/png' },
      { type: 'application/pdf', body: '%PDF-1.7 text', says: 'application/pdf' },
      { type: 'application/vnd.ms-excel', body: 'text', says: 'application/vnd.ms-excel' },
      { type: 'application/octet-stream', body: png, says: 'application/octet-stream' },
      { type: '', body: png, says: 'application/octet-stream' },
      { type: 'text/plain', body: 'a\0b', says: 'text/plain' },
      { type: 'text/html', body: '<p>\0\0</p>', says: 'text/html' },
    ];
    for (const { type, body, says } of contents) {
      it(`refuses ${JSON.stringify(body.toString('latin1').slice(0, 8))} of type "${type}"`, async () => {
        const server = await loopback((_, response) => send(response, body, type));
        const error = await rejection(fetchPage(server.url), 'EXECUTION_FAILED');
        expect(error.message).to.include(`is binary (${says})`);
        expect(error.details).to.include({ status: 200, content_type: says, url: `${server.url}/` });
      });
    }

    it('points to web_download where the caller has it', async () => {
      const definition = 'name: web_download\ndescription: Saves.\nexecution: { type: function, code: ./it.mjs }\nrisk: low\n';
      const folder = await temporaryFolder({ 'web_download.yaml': definition, 'it.mjs': 'export const run = () => 1;' });
      const server = await loopback((_, response) => send(response, png, 'image/png'));
      const toolkit = await coreToolkit({ allowHosts: ['127.0.0.1'], toolPaths: [folder] });
      const error = await rejection(toolkit.execute('web_fetch', { url: server.url }), 'EXECUTION_FAILED');
      expect(error.message).to.include('Save it to a file with web_download.');
    });

    it('does not name web_download to a caller who does not have it', async () => {
      const server = await loopback((_, response) => send(response, png, 'image/png'));
      const error = await rejection(fetchPage(server.url, {}, { isVisible: ({ name }) => name !== 'web_download' }), 'EXECUTION_FAILED');
      expect(error.message).not.to.include('web_download');
    });
  });

  describe('because there is no whole answer', () => {
    it('says so when nothing listens', async () => {
      const port = await closedPort();
      const error = await rejection(fetchPage(`http://127.0.0.1:${port}/`), 'UPSTREAM_UNAVAILABLE');
      expect(error.message).to.include(`127.0.0.1:${port} gave no whole answer`).and.to.include('ECONNREFUSED');
    });

    const broken: readonly { what: string; answer: Parameters<typeof loopback>[0] }[] = [
      { what: 'the connection breaks before the answer', answer: (_, response) => void response.destroy() },
      {
        what: 'the connection breaks in the middle',
        answer: (_, response) => {
          response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' });
          response.write('some', () => response.destroy());
        },
      },
      {
        what: 'the compression is broken',
        answer: (_, response) => void response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end('no gzip'),
      },
      { what: 'redirects lead in a circle', answer: (_, response) => void response.writeHead(302, { location: '/' }).end() },
    ];
    for (const { what, answer } of broken) {
      it(`says so when ${what}`, async () => {
        const server = await loopback(answer);
        const error = await rejection(fetchPage(server.url), 'UPSTREAM_UNAVAILABLE');
        expect(error.message).to.include('gave no whole answer');
      });
    }
  });

  const wrongParameters = [
    { parameters: {}, says: 'url is required' },
    { parameters: { url: '' }, says: 'url expected' },
    { parameters: { url: 'example.com' }, says: 'url expected' },
    { parameters: { url: 'file:///etc/passwd' }, says: 'url expected' },
    { parameters: { url: 'ftp://example.com/' }, says: 'url expected' },
    { parameters: { url: 'http://' }, says: 'expected an absolute' },
    { parameters: { url: 'http://exa mple.com/' }, says: 'expected an absolute http or https address' },
    { parameters: { url: 'http://me:word@example.com/' }, says: 'without a user name and a password' },
    { parameters: { url: `http://example.com/${'x'.repeat(8192)}` }, says: 'url expected' },
    { parameters: { url: 'http://example.com/', format: 'pdf' }, says: 'format expected one of' },
    { parameters: { url: 'http://example.com/', max_bytes: 0 }, says: 'max_bytes expected' },
    { parameters: { url: 'http://example.com/', max_bytes: 10_485_761 }, says: 'max_bytes expected' },
    { parameters: { url: 'http://example.com/', timeout_ms: 120_001 }, says: 'timeout_ms expected' },
  ];
  for (const { parameters, says } of wrongParameters) {
    it(`refuses ${JSON.stringify(parameters).slice(0, 70)}`, async () => {
      const toolkit = await sharedCoreToolkit();
      const error = await rejection(toolkit.execute('web_fetch', parameters), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says).and.not.to.include('word@');
    });
  }
});
