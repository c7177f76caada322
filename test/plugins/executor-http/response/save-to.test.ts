import { createHash, randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { ErrorCode } from '../../../../kernel/index.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { until } from '../../../support/until.ts';
import { type CallTool, httpTool } from '../http-tool.ts';

const parameters = { file: { type: 'string', path: 'write' }, replace: { type: 'boolean' } };
const definition = { save_to: { parameter: 'file', overwrite: 'replace', max_bytes: 300_000 }, annotations: { readOnlyHint: false } };
const content = randomBytes(250_000);

async function saving(
  folder: string,
  answer: (response: ServerResponse, count: number) => void,
  more: { execution?: object; definition?: object; provider?: Readonly<Record<string, unknown>> } = {},
): Promise<{ call: CallTool; requests: readonly unknown[] }> {
  const { url, requests } = await loopback((_request, response) => answer(response, requests.length));
  const call = await httpTool({
    execution: { url, ...more.execution },
    parameters,
    definition: { ...definition, ...more.definition },
    ...(more.provider === undefined ? {} : { provider: more.provider }),
    roots: [folder],
  });
  return { call, requests };
}

const sendPdf = (response: ServerResponse): void =>
  void response
    .writeHead(200, { 'content-type': 'application/pdf; x=1', 'content-disposition': 'attachment; filename="../../evil"' })
    .end(content);

describe('executor-http: save_to', () => {
  it('saves the answer where the caller says, with type, size and hash in the result', async () => {
    const folder = await temporaryFolder();
    const { call } = await saving(folder, sendPdf);
    const { output, content: shown, meta } = await call({ file: 'new/folder/a.pdf' });
    const sha256 = createHash('sha256').update(content).digest('hex');
    const saved = path.join(folder, 'new/folder/a.pdf');
    expect(output).to.deep.equal({ path: saved, bytes: 250_000, content_type: 'application/pdf', sha256 });
    expect(shown).to.equal(undefined);
    expect(meta).to.include({ status: 200 });
    expect((await readFile(saved)).equals(content)).to.equal(true);
    expect(await readdir(path.dirname(saved))).to.deep.equal(['a.pdf']);
    expect(await readdir(folder)).to.deep.equal(['new']);
  });

  it('gives the answer as the output where the caller names no file', async () => {
    const folder = await temporaryFolder();
    const { call } = await saving(folder, (response) => json(response, { a: 1 }));
    expect((await call()).output).to.deep.equal({ a: 1 });
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('writes each part of the answer as it comes', async () => {
    const folder = await temporaryFolder();
    const { call } = await saving(folder, (response) => {
      response.write(content.subarray(0, 100_000));
      void until(async () => {
        const [name] = await readdir(folder);
        const size = name === undefined ? 0 : (await lstat(path.join(folder, name))).size;
        return size === 100_000 ? name : undefined;
      }).then((name) => response.end(name));
    });
    await call({ file: 'a' });
    expect((await readFile(path.join(folder, 'a'))).subarray(100_000).toString()).to.match(/^\.toolkit-.*\.tmp$/);
  });

  it('undoes the compression of the transfer', async () => {
    const folder = await temporaryFolder();
    const { call } = await saving(
      folder,
      (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain text')),
    );
    await call({ file: 'a' });
    expect(await readFile(path.join(folder, 'a'), 'utf8')).to.equal('plain text');
  });

  const cut = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-length': '500' });
    response.write('begun', () => response.destroy());
  };
  const failed: readonly {
    what: string;
    answer: (response: ServerResponse) => void;
    code: ErrorCode;
    more?: Parameters<typeof saving>[2];
  }[] = [
    { what: 'a status of 404', answer: (response) => json(response, { message: 'no' }, 404), code: 'NOT_FOUND' },
    { what: 'a status of 500', answer: (response) => json(response, {}, 500), code: 'UPSTREAM_UNAVAILABLE' },
    { what: 'an answer that breaks off', answer: cut, code: 'UPSTREAM_UNAVAILABLE' },
    {
      what: 'compressed content that is cut',
      answer: (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(content).subarray(0, 5000)),
      code: 'UPSTREAM_UNAVAILABLE',
    },
    { what: 'an answer that is too large', answer: (response) => void response.end(randomBytes(300_001)), code: 'OUTPUT_TOO_LARGE' },
    {
      what: 'an answer that says it is an error',
      answer: (response) => json(response, { ok: false, error: 'invalid_auth' }),
      code: 'EXECUTION_FAILED',
      more: { definition: { error_when: { path: 'ok', equals: false } } },
    },
    {
      what: 'an answer that its provider says is an error',
      answer: (response) => json(response, { ok: false }),
      code: 'EXECUTION_FAILED',
      more: { provider: { error_when: { path: 'ok', equals: false } } },
    },
  ];
  for (const { what, answer, code, more } of failed)
    for (const isThere of [false, true])
      it(`leaves ${isThere ? 'the file that was there' : 'no file'} after ${what}`, async () => {
        const folder = await temporaryFolder(isThere ? { a: 'before' } : {});
        const { call } = await saving(folder, answer, more);
        const error = await rejection(call({ file: 'a', replace: true }), code);
        expect(await readdir(folder)).to.deep.equal(isThere ? ['a'] : []);
        if (isThere) expect(await readFile(path.join(folder, 'a'), 'utf8')).to.equal('before');
        const isDone = ['an answer that breaks off', 'compressed content that is cut', 'an answer that is too large'].includes(what);
        expect(error.details['carriedOut'] === true, error.message).to.equal(isDone);
      });

  it('saves an answer with success of a service that says errors with 200', async () => {
    const folder = await temporaryFolder();
    const { call } = await saving(folder, (response) => json(response, { ok: true, n: 12 }), {
      definition: { error_when: { path: 'ok', equals: false } },
    });
    await call({ file: 'a.json' });
    expect(await readFile(path.join(folder, 'a.json'), 'utf8')).to.equal('{"ok":true,"n":12}');
  });

  it('asks nothing of the service where a file is there that the caller does not replace', async () => {
    const folder = await temporaryFolder({ a: 'before' });
    const { call, requests } = await saving(folder, sendPdf, { execution: { method: 'post' } });
    const error = await rejection(call({ file: 'a' }), 'EXECUTION_FAILED');
    expect(error.details).to.include({ isSent: false }).and.not.have.property('carriedOut');
    expect(requests).to.deep.equal([]);
    await call({ file: 'a', replace: true });
    expect((await readFile(path.join(folder, 'a'))).equals(content)).to.equal(true);
  });

  it('tells a write as done whose answer found no place', async () => {
    const folder = await temporaryFolder();
    const { call } = await saving(folder, (response) => void writeFile(path.join(folder, 'a'), 'faster').then(() => sendPdf(response)), {
      execution: { method: 'post' },
    });
    const error = await rejection(call({ file: 'a' }), 'EXECUTION_FAILED');
    expect(error.details).to.include({ carriedOut: true, status: 200 });
    expect(error.message).to.include('something is there already').and.include('It was carried out (status 200); do not call it again.');
    expect(await readFile(path.join(folder, 'a'), 'utf8')).to.equal('faster');
    expect(await readdir(folder)).to.deep.equal(['a']);
  });

  const refused: readonly { what: string; file: string; code: ErrorCode }[] = [
    { what: 'outside of the roots', file: '../outside', code: 'INVALID_PARAMETERS' },
    { what: 'through a link to another folder', file: 'link/a', code: 'INVALID_PARAMETERS' },
    { what: 'through a link to a file elsewhere', file: 'link-to-file', code: 'INVALID_PARAMETERS' },
    { what: 'in place of a control file', file: '.env', code: 'POLICY_DENIED' },
    { what: 'into node_modules', file: 'node_modules/x/index.js', code: 'POLICY_DENIED' },
    { what: 'in place of a folder', file: 'folder', code: 'EXECUTION_FAILED' },
  ];
  for (const { what, file, code } of refused)
    it(`saves nothing ${what}`, async () => {
      const outside = await temporaryFolder({ secret: 'before' });
      const folder = await temporaryFolder();
      await mkdir(path.join(folder, 'folder'));
      await symlink(outside, path.join(folder, 'link'));
      await symlink(path.join(outside, 'secret'), path.join(folder, 'link-to-file'));
      const { call } = await saving(folder, sendPdf);
      await rejection(call({ file, replace: true }), code);
      expect(await readFile(path.join(outside, 'secret'), 'utf8')).to.equal('before');
      expect(await readdir(outside)).to.deep.equal(['secret']);
      expect((await readdir(folder)).sort()).to.deep.equal(['folder', 'link', 'link-to-file']);
    });

  it('saves nothing through a folder that has become a link since the path was checked', async () => {
    const outside = await temporaryFolder();
    const folder = await temporaryFolder({ 'inside/there': 'x' });
    const { call } = await saving(folder, (response) => {
      const swap = async (): Promise<void> => {
        await rename(path.join(folder, 'inside'), path.join(folder, 'aside'));
        await symlink(outside, path.join(folder, 'inside'));
        sendPdf(response);
      };
      void swap();
    });
    const error = await rejection(call({ file: 'inside/a' }), 'EXECUTION_FAILED');
    expect(error.message).to.include('has become a symbolic link');
    expect(await readdir(outside)).to.deep.equal([]);
  });

  it('takes nothing of the name from the service', async () => {
    const folder = await temporaryFolder();
    const { call } = await saving(folder, (response, count) => {
      if (count > 1) sendPdf(response);
      else response.writeHead(302, { location: '/other/name.exe', 'content-disposition': 'attachment; filename=".env"' }).end();
    });
    await call({ file: 'mine' });
    expect(await readdir(folder)).to.deep.equal(['mine']);
  });
});
