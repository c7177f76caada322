import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Progress } from '../../../../kernel/index.ts';
import { loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { send } from './fetching.ts';
import { webTool } from './web-tool.ts';

const bytes = Buffer.from([0, 1, 255, ...Buffer.from('Grüße')]);
const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

async function project(files: Readonly<Record<string, string>> = {}) {
  const cwd = await temporaryFolder(files);
  return { cwd, call: await webTool('web_download', cwd) };
}

describe('web_download', () => {
  it('saves the bytes as they are, into folders that it makes', async () => {
    const server = await loopback((_, response) => send(response, bytes, 'Application/X-Thing; a=b'));
    const { cwd, call } = await project();
    const file = path.join(cwd, 'a/b ü/c.bin');
    expect(await call({ url: server.url, path: 'a/b ü/c.bin' })).to.deep.equal({
      path: file,
      bytes: bytes.length,
      content_type: 'application/x-thing',
      sha256: sha256(bytes),
    });
    expect(await readFile(file)).to.deep.equal(bytes);
    expect(await readdir(path.dirname(file))).to.deep.equal(['c.bin']);
  });

  it('undoes the compression of the transfer, and saves nothing as an empty file', async () => {
    const server = await loopback((_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(bytes)));
    const { cwd, call } = await project();
    await call({ url: server.url, path: 'x' });
    expect(await readFile(path.join(cwd, 'x'))).to.deep.equal(bytes);
    const empty = await loopback((_, response) => void response.writeHead(200).end());
    expect(await call({ url: empty.url, path: 'y' })).to.include({ bytes: 0, sha256: sha256(Buffer.alloc(0)) });
  });

  it('replaces a file only when told to', async () => {
    const server = await loopback((_, response) => send(response, bytes));
    const { cwd, call } = await project({ x: 'old' });
    await rejection(call({ url: server.url, path: 'x' }), 'EXECUTION_FAILED');
    expect(server.requests).to.have.lengthOf(0);
    expect(await readFile(path.join(cwd, 'x'), 'utf8')).to.equal('old');
    await call({ url: server.url, path: 'x', overwrite: true });
    expect(await readFile(path.join(cwd, 'x'))).to.deep.equal(bytes);
  });

  it('holds the content against its hash', async () => {
    const server = await loopback((_, response) => send(response, bytes));
    const { cwd, call } = await project();
    await call({ url: server.url, path: 'x', sha256: sha256(bytes).toUpperCase() });
    const error = await rejection(call({ url: server.url, path: 'y', sha256: 'a'.repeat(64) }), 'EXECUTION_FAILED');
    expect(error.message).to.include(`received ${sha256(bytes)}`);
    expect(await readdir(cwd)).to.deep.equal(['x']);
  });

  const failures = [
    { what: 'a size that is declared', answer: (big: Buffer) => ({ headers: { 'content-length': String(big.length) }, body: big }) },
    { what: 'a size that is not declared', answer: (big: Buffer) => ({ headers: { 'transfer-encoding': 'chunked' }, body: big }) },
  ];
  for (const { what, answer } of failures) {
    it(`takes nothing over max_bytes, with ${what}`, async () => {
      const { headers, body } = answer(Buffer.alloc(5000));
      const server = await loopback((_, response) => void response.writeHead(200, headers).end(body));
      const { cwd, call } = await project();
      await rejection(call({ url: server.url, path: 'x', max_bytes: 4999 }), 'OUTPUT_TOO_LARGE');
      expect(await readdir(cwd)).to.deep.equal([]);
    });
  }

  it('leaves nothing behind when the connection breaks, the call is cancelled, or the answer is an error', async () => {
    const { cwd, call } = await project();
    const broken = await loopback((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    await rejection(call({ url: broken.url, path: 'x' }), 'UPSTREAM_UNAVAILABLE');
    const gone = await loopback((_, response) => send(response, 'no', 'text/plain', 404));
    await rejection(call({ url: gone.url, path: 'x' }), 'NOT_FOUND');
    const cancel = new AbortController();
    const hanging = await loopback((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => cancel.abort());
    });
    await rejection(call({ url: hanging.url, path: 'x' }, { signal: cancel.signal }), 'ABORTED');
    expect(await readdir(cwd)).to.deep.equal([]);
  });

  it('says how far it is', async () => {
    const big = Buffer.alloc(3 * 1024 * 1024);
    const server = await loopback((_, response) => void response.writeHead(200, { 'content-length': String(big.length) }).end(big));
    const { call } = await project();
    const notes: Progress[] = [];
    await call({ url: server.url, path: 'x' }, { onProgress: (note) => notes.push(note) });
    expect(notes.length).to.be.greaterThan(0);
    expect(notes.at(-1)).to.include({ total: big.length });
  });

  it('writes nowhere outside of the roots, and to no folder', async () => {
    const { call } = await project({ 'folder/x': '' });
    await rejection(call({ url: 'https://a.example/', path: '../x' }), 'INVALID_PARAMETERS');
    const server = await loopback((_, response) => send(response, bytes));
    await rejection(call({ url: server.url, path: 'folder', overwrite: true }), 'EXECUTION_FAILED');
  });
});
