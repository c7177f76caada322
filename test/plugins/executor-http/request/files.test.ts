import { createHash, randomBytes } from 'node:crypto';
import { appendFile, mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { json } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { type CallTool, httpTool } from '../http-tool.ts';
import { partsOf, uploads } from '../uploads.ts';

const file = { type: 'string', path: 'read' };
const files = { type: 'array', items: { type: 'string' }, path: 'read' };

interface Setting {
  readonly execution: Readonly<Record<string, unknown>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly definition?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

async function sending(folder: string, { execution, ...more }: Setting): Promise<CallTool> {
  return httpTool({ execution: { method: 'post', ...execution }, ...more, roots: [folder] });
}

describe('executor-http: files that are sent', () => {
  it('are parts of a form, beside values, with name, type and length', async () => {
    const folder = await temporaryFolder({ 'Größe.csv': 'a,b\n1,2\n', 'note.txt': 'hello' });
    const { url, seen } = await uploads();
    const call = await sending(folder, {
      execution: {
        url,
        multipart: {
          title: '{title}',
          tags: '{tags}',
          meta: { by: '{title}' },
          missing: '{missing}',
          document: { file: '{document}' },
          others: { file: '{others}', name: 'n-{title}.bin', type: 'text/x-own' },
        },
      },
      parameters: { title: {}, tags: {}, missing: {}, document: file, others: files },
    });
    await call({ title: 'T', tags: ['x', 'y'], document: 'Größe.csv', others: ['note.txt'] });
    const [upload] = seen;
    expect(upload && (await partsOf(upload))).to.deep.equal([
      ['title', 'T'],
      ['tags', 'x'],
      ['tags', 'y'],
      ['meta', '{"by":"T"}'],
      ['document', { name: 'Größe.csv', type: 'text/csv', text: 'a,b\n1,2\n' }],
      ['others', { name: 'n-T.bin', type: 'text/x-own', text: 'hello' }],
    ]);
    expect(upload?.headers['content-length']).to.equal(String(upload?.bytes.length));
    expect(upload?.headers).to.not.have.property('transfer-encoding');
  });

  const bodies = [
    { what: 'by its ending', name: 'a.json', type: 'application/json' },
    { what: 'as the definition says', name: 'a.json', headers: { 'Content-Type': 'application/x-own' }, type: 'application/x-own' },
    { what: 'as nothing in particular', name: 'a.nothing', type: 'application/octet-stream' },
  ];
  for (const { what, name, headers = {}, type } of bodies)
    it(`are the body, with a type that is told ${what}`, async () => {
      const content = randomBytes(3 * 64 * 1024 + 7);
      const folder = await temporaryFolder();
      await writeFile(path.join(folder, name), content);
      const { url, seen } = await uploads();
      const call = await sending(folder, {
        execution: { method: 'put', url, headers, body_file: '{document}' },
        parameters: { document: file },
      });
      await call({ document: name });
      expect(seen[0]?.sha256).to.equal(createHash('sha256').update(content).digest('hex'));
      expect(seen[0]?.headers).to.include({ 'content-type': type, 'content-length': String(content.length) });
    });

  it('may be left out where they are optional', async () => {
    const folder = await temporaryFolder();
    const { url, seen } = await uploads();
    const parameters = { document: file, title: {} };
    await (await sending(folder, { execution: { url, body_file: '{document}' }, parameters }))();
    await (await sending(folder, { execution: { url, multipart: { title: '{title}', document: { file: '{document}' } } }, parameters }))({
      title: 't',
    });
    expect(seen[0]?.bytes).to.have.length(0);
    expect(seen[1] && (await partsOf(seen[1]))).to.deep.equal([['title', 't']]);
  });

  const hostile = [
    { what: 'a quote', name: 'a"; name="other', written: 'a%22; name=%22other' },
    { what: 'line ends', name: 'a\r\nX-Injected: 1\r\n\r\nbody', written: 'a%0D%0AX-Injected: 1%0D%0A%0D%0Abody' },
    { what: 'other control characters', name: 'a\u0000\u001b[2Jb\u0085', written: 'a%00%1B[2Jb%85' },
    { what: 'half a character', name: 'a\ud800', written: 'a\ufffd' },
  ];
  for (const { what, name, written } of hostile)
    it(`cannot write headers of their own by a name with ${what}`, async () => {
      const folder = await temporaryFolder({ plain: 'x' });
      const { url, seen } = await uploads();
      const multipart = { document: { file: '{document}', name: '{name}' }, last: 'end' };
      const call = await sending(folder, { execution: { url, multipart }, parameters: { document: file, name: {} } });
      await call({ document: 'plain', name });
      const head = seen[0]?.bytes.toString('utf8').split('\r\n\r\n')[0];
      expect(head?.split('\r\n').slice(1)).to.deep.equal([
        `Content-Disposition: form-data; name="document"; filename="${written}"`,
        'Content-Type: application/octet-stream',
      ]);
    });

  it('cannot write headers of their own by a type', async () => {
    const folder = await temporaryFolder({ plain: 'x' });
    const { url, seen } = await uploads();
    const multipart = { document: { file: '{document}', type: '{type}' } };
    const call = await sending(folder, { execution: { url, multipart }, parameters: { document: file, type: {} } });
    for (const type of ['text/plain\r\nX: 1', 'text', 'text/plain; a="b\nc"'])
      await rejection(call({ document: 'plain', type }), 'INVALID_PARAMETERS');
    expect(seen).to.deep.equal([]);
  });

  it('never end a part by what they hold, because each body has a boundary that nobody knows before', async () => {
    const folder = await temporaryFolder({ plain: 'x' });
    const { url, seen } = await uploads();
    const call = await sending(folder, {
      execution: { url, multipart: { document: { file: '{document}' } } },
      parameters: { document: file },
    });
    await call({ document: 'plain' });
    await writeFile(path.join(folder, 'plain'), seen[0]?.bytes ?? '');
    await call({ document: 'plain' });
    expect(seen[1] && (await partsOf(seen[1]))).to.have.length(1);
  });

  const refused = [
    { what: 'a path outside of the roots', document: '../outside', code: 'INVALID_PARAMETERS' as const },
    { what: 'a link that leads outside', document: 'link', code: 'INVALID_PARAMETERS' as const },
    { what: 'a control file', document: '.env', code: 'POLICY_DENIED' as const },
    { what: 'a folder', document: 'folder', code: 'EXECUTION_FAILED' as const },
    { what: 'nothing', document: 'missing', code: 'NOT_FOUND' as const },
  ];
  for (const { what, document, code } of refused)
    it(`are not ${what}`, async () => {
      const outside = await temporaryFolder({ secret: 's' });
      const folder = await temporaryFolder({ '.env': 'A=b' });
      await mkdir(path.join(folder, 'folder'));
      await symlink(path.join(outside, 'secret'), path.join(folder, 'link'));
      const { url, seen } = await uploads();
      const call = await sending(folder, { execution: { url, body_file: '{document}' }, parameters: { document: file } });
      await rejection(call({ document }), code);
      expect(seen).to.deep.equal([]);
    });

  it('are read while they are sent, and given up when they are cut meanwhile', async () => {
    const folder = await temporaryFolder();
    const large = path.join(folder, 'large');
    await writeFile(large, '');
    await truncate(large, 256 * 1024 * 1024);
    const { createServer } = await import('node:http');
    const server = createServer((request) => {
      // What is on its way is far less than the file.
      request.once('data', () => {
        request.pause();
        void truncate(large, 0).then(() => request.resume());
      });
      request.on('error', () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as { port: number };
      const execution = { url: `http://127.0.0.1:${port}`, multipart: { document: { file: '{document}' } } };
      const call = await sending(folder, { execution, parameters: { document: file } });
      expect((await rejection(call({ document: 'large' }), 'EXECUTION_FAILED')).message).to.include('was changed while it was sent');
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  const repeats = { retry: { attempts: 3, backoff: { initial_ms: 0 } } };

  it('are opened again for a request that is sent again', async () => {
    const folder = await temporaryFolder({ a: 'content of a' });
    const { url, seen } = await uploads((_upload, response) => json(response, {}, seen.length < 3 ? 503 : 200, { 'retry-after': '0' }));
    const call = await sending(folder, {
      execution: { method: 'put', url, body_file: '{document}' },
      parameters: { document: file },
      definition: repeats,
    });
    await call({ document: 'a' });
    expect(seen.map(({ bytes }) => bytes.toString())).to.deep.equal(['content of a', 'content of a', 'content of a']);
  });

  it('are not sent again when they have changed', async () => {
    const folder = await temporaryFolder({ a: 'content of a' });
    const { url, seen } = await uploads((_upload, response) => {
      void appendFile(path.join(folder, 'a'), ', and more').then(() => json(response, {}, 503, { 'retry-after': '0' }));
    });
    const call = await sending(folder, {
      execution: { method: 'put', url, body_file: '{document}' },
      parameters: { document: file },
      definition: repeats,
    });
    const error = await rejection(call({ document: 'a' }), 'EXECUTION_FAILED');
    expect(error.message).to.include('was changed while it was sent');
    expect(error.details).to.not.have.property('isSent');
    expect(seen).to.have.length(1);
  });

  const redirects = [
    { what: 'go on to another path of the service', status: 307, elsewhere: false, code: undefined, sent: 2 },
    { what: 'do not go on to another host with 307', status: 307, elsewhere: true, code: 'OUTBOUND_BLOCKED' as const, sent: 1 },
    { what: 'do not go on to another host with 308', status: 308, elsewhere: true, code: 'OUTBOUND_BLOCKED' as const, sent: 1 },
    { what: 'are left behind by 303', status: 303, elsewhere: true, code: undefined, sent: 1 },
  ];
  for (const { what, status, elsewhere, code, sent } of redirects)
    it(`${what}`, async () => {
      const folder = await temporaryFolder({ a: 'content of a' });
      const other = await uploads();
      const first = await uploads((_upload, response) => {
        const isFirst = first.seen.length === 1;
        response.writeHead(isFirst ? status : 200, isFirst ? { location: elsewhere ? other.url : '/again' } : {}).end();
      });
      const call = await httpTool({
        execution: { method: 'post', url: first.url, headers: { Authorization: 'Bearer {TOKEN}' }, body_file: '{document}' },
        parameters: { document: file },
        env: { TOKEN: 'value-of-the-token' },
        allow: [new URL(other.url).host],
        roots: [folder],
      });
      if (code === undefined) await call({ document: 'a' });
      else await rejection(call({ document: 'a' }), code);
      const all = [...first.seen, ...other.seen];
      expect(all.filter(({ bytes }) => bytes.toString() === 'content of a')).to.have.length(sent);
      for (const { headers } of other.seen) expect(headers).to.not.have.any.keys('authorization', 'content-type');
    });

  it('are given up where the service answers before it has them', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'large'), '');
    await truncate(path.join(folder, 'large'), 64 * 1024 * 1024);
    const { createServer } = await import('node:http');
    const server = createServer((_request, response) => json(response, { message: 'too large for us' }, 413, { connection: 'close' }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as { port: number };
      const execution = { url: `http://127.0.0.1:${port}`, body_file: '{document}' };
      const call = await sending(folder, { execution, parameters: { document: file } });
      const error = await call({ document: 'large' }).then(
        () => undefined,
        (thrown: { code: string }) => thrown,
      );
      // A connection that is closed while something is on its way may lose the answer, whoever sends.
      expect(error?.code).to.be.oneOf(['BAD_REQUEST', 'UPSTREAM_UNAVAILABLE']);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
