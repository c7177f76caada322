import path from 'node:path';
import { expect } from 'chai';
import { furtherCases, operationOf, pathOf, type StyleCase, styleCases } from '../styles/style-cases.ts';
import { decodeRequest, type RawRequest } from './decode-request.ts';
import { DescribedDocument } from './described-operation.ts';
import { NumberText, readExactJson } from './read-exact-json.ts';

const styles = DescribedDocument.read(path.join(import.meta.dirname, '../styles/styles.yaml'));

function requestOf({ place, wire }: StyleCase, pathName: string): RawRequest {
  const url = place === 'path' ? pathName.replace('{p}', wire) : place === 'query' ? `${pathName}?${wire}` : pathName;
  const rawHeaders = place === 'header' ? ['p', wire] : place === 'cookie' ? ['Cookie', wire] : [];
  return { method: 'GET', url, rawHeaders, body: Buffer.alloc(0) };
}

function bodyRequest(contentType: string, body: string | Buffer): RawRequest {
  return { method: 'POST', url: '/x', rawHeaders: ['Content-Type', contentType], body: Buffer.from(body) };
}

function described(content: unknown): DescribedDocument {
  return new DescribedDocument({ openapi: '3.1.0', paths: { '/x': { post: { requestBody: { content } } } } });
}

describe('the decoder, which reads a request by its document', () => {
  for (const one of [...styleCases, ...furtherCases])
    it(`reads ${operationOf(one)} from ${one.wire}`, () => {
      const operation = styles.operation('get', pathOf(one));
      const { parameters, unexplained } = decodeRequest(requestOf(one, pathOf(one)), styles, operation, () => undefined);
      expect(parameters.get(`${one.place} p`)).to.deep.equal(one.value);
      expect(unexplained).to.deep.equal([]);
    });

  it('keeps the digits of long numbers of JSON', () => {
    expect(readExactJson('{"id": 9007199254740993, "text": "9007199254740993 \\" 1"}')).to.deep.equal({
      id: new NumberText('9007199254740993'),
      text: '9007199254740993 " 1',
    });
  });

  it('reads a text or a list as it was given where the document takes both, with items beside the union', () => {
    const schema = { items: { type: 'string' }, oneOf: [{ type: 'array' }, { type: 'string' }] };
    const document = new DescribedDocument({ paths: { '/x': { get: { parameters: [{ name: 'q', in: 'query', schema }] } } } });
    const request = { method: 'GET', url: '/x?q=a', rawHeaders: [], body: Buffer.alloc(0) };
    for (const [kind, value] of [['text', 'a'] as const, ['list', ['a']] as const])
      expect(decodeRequest(request, document, document.operation('get', '/x'), () => kind).parameters.get('query q')).to.deep.equal(value);
  });

  it('reads members of a form by their encoding', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, ids: { type: 'array' }, csv: { type: 'array' }, deep: { type: 'object' } },
    };
    const document = described({
      'application/x-www-form-urlencoded': {
        schema,
        encoding: { csv: { style: 'form', explode: false }, deep: { style: 'deepObject', explode: true } },
      },
    });
    const request = bodyRequest('application/x-www-form-urlencoded', 'a=1%2B1+%26&ids=x&ids=y+z&csv=1,2%2C3&deep%5Bb%5D=c');
    expect(decodeRequest(request, document, document.operation('post', '/x'), () => undefined).body).to.deep.equal({
      a: '1+1 &',
      ids: ['x', 'y z'],
      csv: ['1', '2,3'],
      deep: { b: 'c' },
    });
  });

  it('reads parts with texts and files', () => {
    const document = described({
      'multipart/form-data': { schema: { type: 'object', properties: { note: { type: 'string' }, file: { type: 'string' } } } },
    });
    const lines = ['--b', 'Content-Disposition: form-data; name="note"', '', 'größe', '--b'];
    const file = [
      'Content-Disposition: form-data; name="file"; filename="a%22b.txt"',
      'Content-Type: text/plain',
      '',
      'one\r\ntwo',
      '--b--',
      '',
    ];
    const request = bodyRequest('multipart/form-data; boundary=b', [...lines, ...file].join('\r\n'));
    const { body } = decodeRequest(request, document, document.operation('post', '/x'), () => undefined);
    expect(body).to.deep.equal({
      note: 'größe',
      file: { name: 'file', fileName: 'a"b.txt', mediaType: 'text/plain', bytes: Buffer.from('one\r\ntwo') },
    });
  });

  it('refuses a request that is not as described', () => {
    const one = styleCases.find(({ style, kind }) => style === 'matrix' && kind === 'list') as StyleCase;
    const operation = styles.operation('get', pathOf(one));
    const read = (request: RawRequest): unknown => decodeRequest(request, styles, operation, () => undefined);
    expect(() => read({ ...requestOf(one, pathOf(one)), method: 'POST' })).to.throw('Expected the method GET, received POST.');
    expect(() => read({ ...requestOf(one, pathOf(one)), url: '/elsewhere' })).to.throw('Expected the path');
    expect(() => read(requestOf({ ...one, wire: ';q=1' }, pathOf(one)))).to.throw('is not p');
  });
});
