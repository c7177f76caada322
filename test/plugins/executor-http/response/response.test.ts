import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { type CallTool, httpTool } from '../http-tool.ts';

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly maxResponseBytes?: number;
  readonly method?: string;
}

async function answering({ status = 200, headers = {}, body = '', maxResponseBytes, method = 'get' }: Answer): Promise<CallTool> {
  const { url } = await loopback((_request, response) => void response.writeHead(status, headers).end(body));
  return httpTool({ execution: { method, url }, ...(maxResponseBytes === undefined ? {} : { maxResponseBytes }) });
}

/** JSON with 600,000 members. */
const wide = `[${new Array(100_000).fill('{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}').join()}]`;

const png = Buffer.from('89504e470d0a1a0a00ff', 'hex');

describe('executor-http: answer', () => {
  const answers = [
    { what: 'JSON', type: 'application/json', body: '{"a":[1,null,"ü"]}', output: { a: [1, null, 'ü'] } },
    { what: 'JSON with a charset', type: 'application/json; charset=utf-8', body: '[1]', output: [1] },
    { what: 'JSON of a vendor', type: 'application/vnd.acme.v3+json;x=1', body: '{"a":1}', output: { a: 1 } },
    { what: 'JSON after a byte order mark', type: 'application/json', body: '\ufeff{"a":1}', output: { a: 1 } },
    { what: 'a JSON text that is a number', type: 'application/json', body: '5', output: 5 },
    { what: 'text', type: 'text/plain', body: 'Grüße', output: 'Grüße' },
    { what: 'text that looks like JSON', type: 'text/plain', body: '{"a":1}', output: '{"a":1}' },
    { what: 'text in Latin-1', type: 'text/plain; charset=ISO-8859-1', body: Buffer.from('caf\xe9', 'latin1'), output: 'café' },
    { what: 'text in an unknown charset', type: 'text/plain; charset=klingon', body: 'abc', output: 'abc' },
    { what: 'HTML', type: 'text/html', body: '<p>hi</p>', output: '<p>hi</p>' },
    { what: 'XML', type: 'application/atom+xml', body: '<a/>', output: '<a/>' },
    { what: 'lines of JSON', type: 'application/x-ndjson', body: '{"a":1}\n{"a":2}\n', output: '{"a":1}\n{"a":2}\n' },
    { what: 'YAML', type: 'application/yaml', body: 'a: 1\n', output: 'a: 1\n' },
    { what: 'text without a type', type: undefined, body: 'plain', output: 'plain' },
    { what: 'an image', type: 'image/png', body: png, output: { content_type: 'image/png', bytes: 10, base64: png.toString('base64') } },
    {
      what: 'bytes without a type',
      type: undefined,
      body: png,
      output: { content_type: 'application/octet-stream', bytes: 10, base64: png.toString('base64') },
    },
    { what: 'an empty body', type: 'application/json', body: '', output: null },
  ];
  it('refuses JSON that holds too much for a model before it is parsed, and gives it to a host', async () => {
    const call = await answering({ body: wide, headers: { 'content-type': 'application/json' } });
    const error = await rejection(call({}, { origin: 'model' }), 'OUTPUT_TOO_LARGE');
    expect(error.message).to.include('was not read: its JSON holds more than 100000 members');
    expect((await call()).output).to.have.length(100_000);
  });

  for (const { what, type, body, output } of answers) {
    it(`gives ${what} as ${JSON.stringify(output)}`, async () => {
      const call = await answering({ body, headers: type === undefined ? {} : { 'content-type': type } });
      const result = await call();
      expect(result.output).to.deep.equal(output);
      expect(result.meta).to.deep.equal({ status: 200, contentType: type ?? '' });
    });
  }

  it('gives 204 as null', async () => {
    const call = await answering({ status: 204, method: 'delete' });
    const { output, meta } = await call();
    expect({ output, status: meta['status'] }).to.deep.equal({ output: null, status: 204 });
  });

  it('gives the answer to HEAD as null', async () => {
    const call = await answering({ method: 'head', headers: { 'content-type': 'application/json', 'content-length': '5' } });
    expect((await call()).output).to.equal(null);
  });

  it('unpacks gzip', async () => {
    const call = await answering({
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync('{"a":1}'),
    });
    expect((await call()).output).to.deep.equal({ a: 1 });
  });

  for (const body of ['{"a": [1, 2', '<html>']) {
    it(`refuses ${JSON.stringify(body)} as JSON`, async () => {
      const call = await answering({ headers: { 'content-type': 'application/json' }, body });
      const error = await rejection(call(), 'OUTPUT_INVALID');
      expect(error.message).to.include(`is application/json, but its ${body.length} bytes do not parse as JSON`);
    });
  }

  it('takes an answer of exactly the size limit', async () => {
    const call = await answering({ body: 'x'.repeat(1000), maxResponseBytes: 1000 });
    expect((await call()).output).to.equal('x'.repeat(1000));
  });

  const large = [
    { what: 'is one byte too large', body: 'x'.repeat(1001), headers: {} },
    { what: 'is too large once it is unpacked', body: gzipSync('x'.repeat(100_000)), headers: { 'content-encoding': 'gzip' } },
  ];
  for (const { what, body, headers } of large) {
    it(`refuses an answer that ${what}`, async () => {
      const call = await answering({ body, headers, maxResponseBytes: 1000 });
      const error = await rejection(call(), 'OUTPUT_TOO_LARGE');
      expect(error.message).to.include('larger than 1000 bytes').and.to.include('maxResponseBytes');
      expect({ status: error.details.status, maxBytes: error.details['maxBytes'] }).to.deep.equal({ status: 200, maxBytes: 1000 });
    });
  }

  it('hangs up on an answer that never ends', async () => {
    let hungUp: () => void = () => {};
    const closed = new Promise<void>((resolve) => {
      hungUp = resolve;
    });
    const { url } = await loopback((_request, response) => {
      response.on('close', hungUp);
      const more = (): void => void (response.destroyed || response.write('x'.repeat(10_000), more));
      more();
    });
    const call = await httpTool({ execution: { url }, maxResponseBytes: 50_000 });
    await rejection(call(), 'OUTPUT_TOO_LARGE');
    await closed;
  });
});
