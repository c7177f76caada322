import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { type CodedBody, cutBodies, sendCoded } from '../../support/coded-bodies.ts';
import { loopback } from '../../support/loopback.ts';
import { makeCertificates } from '../executor-http/certificates.ts';
import { failure } from './failure.ts';
import { type Desk, desk, specificationFile } from './stand-in.ts';
import { treeOf } from './tree.ts';

const specification = await readFile(specificationFile, 'utf8');

/** A desk that may fetch from this machine. */
async function reaching(): Promise<Desk> {
  return desk({ plan: { import: 'bru' }, toolkit: { allowHosts: ['127.0.0.1'] } });
}

describe('the document of apiclient_import_openapi', () => {
  const documents: { title: string; text: string; name: string }[] = [
    { title: 'YAML', text: specification, name: 'Pet store' },
    { title: 'JSON', text: '{"openapi":"3.1.0","info":{"title":"Größe"},"paths":{}}', name: 'Größe' },
    { title: 'JSON with comments, which is YAML', text: '{"openapi": "3.0.0", # 3\n "paths": {}}', name: 'spec' },
    { title: 'a title with braces and a line end', text: '{"openapi":"3.0.0","info":{"title":"a {b}\\n} c"},"paths":{}}', name: 'a b c' },
    { title: 'a title that is no text', text: '{"openapi":"3.0.0","info":{"title":7},"paths":{}}', name: 'spec' },
    { title: 'a title with a path', text: '{"openapi":"3.0.0","info":{"title":"../../up"},"paths":{}}', name: '../../up' },
    {
      title: 'a title of 300 letters',
      text: `{"openapi":"3.0.0","info":{"title":"${'日'.repeat(300)}"},"paths":{}}`,
      name: '日'.repeat(300),
    },
  ];
  for (const { title, text, name } of documents) {
    it(`may be ${title}`, async () => {
      const { call, root, runs } = await desk({ files: { 'spec.txt': text }, plan: { import: 'bru' } });
      const answer = await call('import_openapi', { spec_source: 'spec.txt', output_directory: 'out' });
      expect(answer.errors).to.deep.equal([]);
      expect(answer.collection_name).to.equal(name);
      expect((await runs())[0]?.args).to.include(`--collection-name=${name}`);
      expect(answer.collection_path.slice(`${root}/out/`.length)).to.match(/^[^/.]+$/);
    });
  }

  const wrong: { title: string; text: string; words: readonly string[] }[] = [
    { title: 'OpenAPI 2', text: '{"swagger":"2.0","paths":{}}', words: ['version 2.0 (Swagger)', 'expected OpenAPI 3', 'Convert'] },
    { title: 'OpenAPI 4', text: '{"openapi":"4.0.0","paths":{}}', words: ['expected "openapi: 3.x"', 'received "4.0.0"'] },
    { title: 'without a version', text: 'paths: {}', words: ['expected "openapi: 3.x", received none'] },
    { title: 'a version that is a number', text: 'openapi: 3.0\npaths: {}', words: ['expected "openapi: 3.x", received 3'] },
    { title: 'without paths', text: 'openapi: 3.0.0', words: ['has no "paths"'] },
    { title: 'YAML with an error', text: 'openapi: 3.0.0\npaths: [\n', words: ['is neither JSON nor YAML', 'line'] },
    { title: 'HTML', text: '<!doctype html>\n<p>Hello</p>\n', words: ['is no OpenAPI document', 'received string'] },
    { title: 'a list', text: '[]', words: ['is no OpenAPI document', 'received a list'] },
    { title: 'empty', text: '', words: ['is no OpenAPI document'] },
    { title: 'an alias of itself', text: 'openapi: 3.0.0\npaths: &a\n  b: *a\n', words: ['cannot be read', 'circular'] },
    { title: 'a great many aliases', text: bomb(), words: ['neither JSON nor YAML', 'alias'] },
    {
      title: 'nested without end, as JSON',
      text: `{"openapi":"3.0.0","paths":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`,
      words: ['cannot be read', 'call stack'],
    },
    {
      title: 'nested without end, as YAML',
      text: `openapi: 3.0.0\npaths: ${'['.repeat(20_000)}`,
      words: ['neither JSON nor YAML', 'call stack'],
    },
  ];
  for (const { title, text, words } of wrong) {
    it(`must not be ${title}: nothing is run or written`, async () => {
      const { call, root, starts } = await desk({ files: { 'spec.txt': text } });
      failure(await call('import_openapi', { spec_source: 'spec.txt', output_directory: 'out' }), 'spec.txt', ...words);
      expect(await starts()).to.deep.equal([]);
      expect(await treeOf(root)).to.deep.equal(['spec.txt']);
    });
  }

  it('must not be larger than the limit', async () => {
    const { call } = await desk({ files: { 'spec.txt': specification }, options: { limits: { maxSpecificationBytes: 100 } } });
    failure(
      await call('import_openapi', { spec_source: 'spec.txt', output_directory: 'out' }),
      'too large',
      'at most 100 bytes',
      'limits.maxSpecificationBytes',
    );
  });

  it('is fetched from an address by the server, and handed over as a file', async () => {
    const { url, requests } = await loopback((_request, response) => void response.end(specification));
    const { call, runs } = await reaching();
    const answer = await call('import_openapi', { spec_source: `${url}/v3/pets.yaml?a=1`, output_directory: 'out' });
    expect(answer.errors).to.deep.equal([]);
    expect(requests.map((request) => request.url)).to.deep.equal(['/v3/pets.yaml?a=1']);
    expect((await runs())[0]?.args.find((arg) => arg.startsWith('--source='))).to.match(/openapi\.json$/);
  });

  it('is fetched from a site that wants its cookie back', async () => {
    const { url } = await loopback(({ headers: { cookie } }, response) => {
      if (cookie === 'a=1') response.end(specification);
      else response.writeHead(302, { 'set-cookie': 'a=1; Path=/', location: '/in' }).end();
    });
    const { call } = await reaching();
    expect((await call('import_openapi', { spec_source: url, output_directory: 'out' })).errors).to.deep.equal([]);
  });

  it('is not fetched from an address that the guard refuses', async () => {
    const { url, requests } = await loopback((_request, response) => void response.end(specification));
    const { call, root } = await desk({ plan: { import: 'bru' } });
    failure(await call('import_openapi', { spec_source: url, output_directory: 'out' }), '127.0.0.1');
    expect(requests).to.deep.equal([]);
    expect(await treeOf(root)).to.deep.equal([]);
  });

  const chunk = Buffer.alloc(1024 * 1024, ' ');
  const answers: { title: string; answer: Parameters<typeof loopback>[0]; words: readonly string[] }[] = [
    {
      title: 'answers with 404',
      answer: (_, response) => void response.writeHead(404).end('gone'),
      words: ['was answered with HTTP 404: expected 200'],
    },
    { title: 'answers with 500', answer: (_, response) => void response.writeHead(500).end(), words: ['was answered with HTTP 500'] },
    { title: 'answers with nothing', answer: (_, response) => void response.writeHead(204).end(), words: ['is no OpenAPI document'] },
    {
      title: 'sends a compressed answer without its last byte',
      answer: (_, response) => sendCoded(response, cutBodies('{"openapi":"3.1.0","paths":{}}')[0] as CodedBody, 'application/json'),
      words: ['ended early', 'unexpected end of file'],
    },
    { title: 'hangs up', answer: (_, response) => void response.destroy(), words: ['cannot be fetched'] },
    {
      title: 'hangs up in the middle',
      answer: (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('openapi: ', () => response.destroy());
      },
      words: ['ended early', 'Try again'],
    },
    {
      title: 'sends 20 MB',
      answer: (_, response) => {
        for (let count = 0; count < 20; count++) response.write(chunk);
        response.end();
      },
      words: ['too large', 'at most 10485760 bytes'],
    },
  ];
  for (const { title, answer, words } of answers) {
    it(`fails when its server ${title}`, async () => {
      const { url } = await loopback(answer);
      const { call, root, starts } = await reaching();
      failure(await call('import_openapi', { spec_source: `${url}/o.yaml`, output_directory: 'out' }), `${url}/o.yaml`, ...words);
      expect(await starts()).to.deep.equal([]);
      expect(await treeOf(root)).to.deep.equal([]);
    });
  }

  it('fails when nobody listens', async () => {
    const { call } = await reaching();
    failure(
      await call('import_openapi', { spec_source: 'http://127.0.0.1:9/o.yaml', output_directory: 'out' }),
      'http://127.0.0.1:9/o.yaml',
    );
  });

  describe('behind a certificate that nobody vouches for', () => {
    let server: Server;
    let url: string;
    before(async () => {
      const { stranger } = await makeCertificates();
      server = createServer(stranger, (_request, response) => void response.end(specification));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/o.yaml`;
    });
    after(() => void server.close());

    it('is refused, and the error says how to fetch it all the same', async () => {
      const { call, root } = await reaching();
      const answer = await call('import_openapi', { spec_source: url, output_directory: 'out' });
      failure(answer, 'cannot be fetched', 'self-signed certificate', 'insecure: true only if you know whose server it is');
      expect(await treeOf(root)).to.deep.equal([]);
    });

    it('is fetched by a call that says insecure', async () => {
      const { call } = await reaching();
      const answer = await call('import_openapi', { spec_source: url, output_directory: 'out', insecure: true });
      expect(answer.requests_created).to.equal(3);
    });
  });
});

/** Each list has the one before ten times. */
function bomb(): string {
  const lines = Array.from(
    { length: 9 },
    (_, index) =>
      `x${index}: &a${index} [${
        index === 0
          ? '1'
          : Array(10)
              .fill(`*a${index - 1}`)
              .join(', ')
      }]`,
  );
  return ['openapi: 3.0.0', 'paths: {}', ...lines, ''].join('\n');
}
