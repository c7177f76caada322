import { expect } from 'chai';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { encoder } from '../encoder.ts';
import { httpTool } from '../http-tool.ts';
import { python } from '../python.ts';

describe('executor-http: parameter_encoding', () => {
  const cases = [
    {
      encoding: 'json_compact',
      source: ['object'],
      values: { object: { k: ['ü', null] } },
      script: 'print(json.dumps(json.loads(text)))',
      decoded: { k: ['ü', null] },
    },
    {
      encoding: 'json_compact',
      source: ['a', 'b'],
      values: { a: 1, b: 'x"' },
      script: 'print(json.dumps(json.loads(text)))',
      decoded: { a: 1, b: 'x"' },
    },
    {
      encoding: 'base64',
      source: ['a'],
      values: { a: 'Grüße:\u0000🚀' },
      script: 'print(json.dumps(base64.b64decode(text, validate=True).decode()))',
      decoded: 'Grüße:\u0000🚀',
    },
    {
      encoding: 'base64',
      source: ['a', 'b'],
      values: { a: 'x', b: 2 },
      script: 'print(json.dumps(json.loads(base64.b64decode(text))))',
      decoded: { a: 'x', b: 2 },
    },
    {
      encoding: 'url_encoded',
      source: ['a'],
      values: { a: 'x&b=2 é+%' },
      script: 'print(json.dumps(parse_qsl(text)))',
      decoded: [['a', 'x&b=2 é+%']],
    },
    {
      encoding: 'url_encoded',
      source: ['a', 'list', 'object', 'b'],
      values: { a: 'x', list: [1, 'y z'], object: { k: true } },
      script: 'print(json.dumps(parse_qsl(text)))',
      decoded: [
        ['a', 'x'],
        ['list', '1'],
        ['list', 'y z'],
        ['object', '{"k":true}'],
      ],
    },
    {
      encoding: 'csv',
      source: ['list'],
      values: { list: ['plain', 'a,b', 'say "hi"', 'two\nlines', '', 7, true] },
      script: 'print(json.dumps(list(csv.reader(io.StringIO(text, newline="")))))',
      decoded: [['plain', 'a,b', 'say "hi"', 'two\nlines', '', '7', 'true']],
    },
    {
      encoding: 'csv',
      source: ['a', 'b'],
      options: { separator: ';' },
      values: { a: 'x;y', b: 'z,1' },
      script: 'print(json.dumps(list(csv.reader(io.StringIO(text, newline=""), delimiter=";"))))',
      decoded: [['x;y', 'z,1']],
    },
    ...['md5', 'sha1', 'sha256', 'sha512'].map((algorithm) => ({
      encoding: 'hash',
      source: ['a'],
      options: { algorithm, trim: true, lower_case: true },
      values: { a: ' ÄDA@Example.COM\n' },
      script: `print(json.dumps(text == hashlib.${algorithm}('äda@example.com'.encode()).hexdigest()))`,
      decoded: true,
    })),
    {
      encoding: 'hash',
      source: ['a'],
      options: { algorithm: 'md5' },
      values: { a: ' Ada ' },
      script: "print(json.dumps(text == hashlib.md5(' Ada '.encode()).hexdigest()))",
      decoded: true,
    },
    {
      encoding: 'hash',
      source: ['a'],
      options: { algorithm: 'md5', lower_case: true, only: '@' },
      values: { a: 'Not an Address' },
      script: 'print(json.dumps(text))',
      decoded: 'Not an Address',
    },
  ];
  for (const { encoding, source, options, values, script, decoded } of cases) {
    it(`encodes ${source.join(' and ')} as ${encoding}, readable by Python`, async () => {
      const { call, encoded } = await encoder(encoding, source, options);
      await call(values);
      const prelude =
        'import sys, json, base64, csv, io, hashlib\nfrom urllib.parse import parse_qsl\ntext = sys.stdin.buffer.read().decode()\n';
      expect(python(prelude + script, encoded() as string)).to.deep.equal(decoded);
    });
  }

  it('writes JSON without spaces', async () => {
    const { call, encoded } = await encoder('json_compact', ['object']);
    await call({ object: { a: [1, { b: 2 }] } });
    expect(encoded()).to.equal('{"a":[1,{"b":2}]}');
  });

  for (const encoding of ['json_compact', 'base64', 'url_encoded', 'csv', 'mime_rfc2822_base64url']) {
    it(`leaves the target of ${encoding} out when no source was given`, async () => {
      const { call, encoded } = await encoder(encoding, ['subject', 'text']);
      await call({});
      expect(encoded()).to.equal(undefined);
    });
  }

  it('takes several entries', async () => {
    const { url, requests } = await loopback((_request, response) => json(response, {}));
    const call = await httpTool({
      execution: {
        url,
        query_params: { a: '{A64}', b: '{BCSV}' },
        parameter_encoding: [
          { source: ['a'], target: 'A64', encoding: 'base64' },
          { source: ['b'], target: 'BCSV', encoding: 'csv' },
        ],
      },
      parameters: { a: {}, b: {} },
    });
    await call({ a: 'hi', b: [1, 2] });
    expect(requests[0]?.url).to.equal('/?a=aGk%3D&b=1%2C2');
  });

  it('may put the encoded value in the place of its source', async () => {
    const { url, requests } = await loopback((_request, response) => json(response, {}));
    const call = await httpTool({
      execution: { url, query_params: { a: '{a}' }, parameter_encoding: { source: ['a'], target: 'a', encoding: 'base64' } },
      parameters: { a: {} },
    });
    await call({ a: 'hi' });
    expect(requests[0]?.url).to.equal('/?a=aGk%3D');
  });

  it('names the encodings there are for an unknown one', async () => {
    const { call } = await encoder('rot13', ['a']);
    const error = await rejection(call({ a: 'x' }), 'TOOL_INVALID');
    expect(error.message).to.include('"rot13"').and.to.include('mime_rfc2822_base64url, json_compact, url_encoded, base64, hash, csv');
  });

  it('names the algorithms there are for an unknown one', async () => {
    const { call } = await encoder('hash', ['a'], { algorithm: 'crc32' });
    const error = await rejection(call({ a: 'x' }), 'TOOL_INVALID');
    expect(error.message).to.include('one of md5, sha1, sha256, sha512; received string "crc32"');
  });
});
