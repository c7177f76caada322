import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { ErrorCode } from '../../../../kernel/index.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { send } from './fetching.ts';
import { webTool } from './web-tool.ts';

const bytes = randomBytes(150_000);

async function project(files: Readonly<Record<string, string>> = {}) {
  const cwd = await temporaryFolder(files);
  return { cwd, call: await webTool('web_request', cwd) };
}

describe('web_request that saves', () => {
  it('saves the content of an answer, and gives all else of it', async () => {
    const server = await loopback((_, response) => send(response, bytes, 'Application/PDF; a=b'));
    const { cwd, call } = await project();
    const answer = await call({ method: 'POST', url: server.url, body: { a: 1 }, save_to: 'new/a.pdf' });
    const file = path.join(cwd, 'new/a.pdf');
    expect(answer).to.deep.include({ url: `${server.url}/`, status: 200, body: '', truncated: false, redirects: [] });
    expect(answer['saved']).to.deep.equal({
      path: file,
      bytes: bytes.length,
      content_type: 'application/pdf',
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect((await readFile(file)).equals(bytes)).to.equal(true);
    expect(await readdir(path.dirname(file))).to.deep.equal(['a.pdf']);
  });

  it('gives an answer with a status of an error as ever, and leaves no file', async () => {
    const server = await loopback((_, response) => json(response, { message: 'no' }, 404));
    const { cwd, call } = await project();
    const answer = await call({ method: 'GET', url: server.url, save_to: 'a' });
    expect(answer).to.include({ status: 404, body: '{"message":"no"}' }).and.not.have.property('saved');
    expect(await readdir(cwd)).to.deep.equal([]);
  });

  const failing: readonly { what: string; method: string; more: object; code: ErrorCode; isDone: boolean; asked: number }[] = [
    { what: 'a file is there', method: 'POST', more: { save_to: 'there' }, code: 'EXECUTION_FAILED', isDone: false, asked: 0 },
    {
      what: 'the answer is too large',
      method: 'POST',
      more: { save_to: 'a', max_bytes: 1000 },
      code: 'OUTPUT_TOO_LARGE',
      isDone: true,
      asked: 1,
    },
    {
      what: 'what was read is too large',
      method: 'GET',
      more: { save_to: 'a', max_bytes: 1000 },
      code: 'OUTPUT_TOO_LARGE',
      isDone: false,
      asked: 1,
    },
    {
      what: 'the place is a folder',
      method: 'PUT',
      more: { save_to: 'folder', overwrite: true },
      code: 'EXECUTION_FAILED',
      isDone: true,
      asked: 1,
    },
    { what: 'the path leads out', method: 'POST', more: { save_to: '../a' }, code: 'INVALID_PARAMETERS', isDone: false, asked: 0 },
    { what: 'the path is a control file', method: 'POST', more: { save_to: '.env' }, code: 'POLICY_DENIED', isDone: false, asked: 0 },
  ];
  for (const { what, method, more, code, isDone, asked } of failing)
    it(`changes no file where ${what}${isDone ? ', and says that it was carried out' : ''}`, async () => {
      const server = await loopback((_, response) => send(response, bytes));
      const { cwd, call } = await project({ there: 'before', 'folder/x': 'x' });
      const error = await rejection(call({ method, url: server.url, ...more }), code);
      expect(error.details['carriedOut'] === true, error.message).to.equal(isDone);
      expect(server.requests).to.have.length(asked);
      expect((await readdir(cwd)).sort()).to.deep.equal(['folder', 'there']);
      expect(await readFile(path.join(cwd, 'there'), 'utf8')).to.equal('before');
    });
});
