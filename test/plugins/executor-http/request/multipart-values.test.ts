import path from 'node:path';
import { expect } from 'chai';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { httpTool } from '../http-tool.ts';
import { partsOf, type Upload, uploads } from '../uploads.ts';

/** Sends these parts with `v`, and returns the request. */
async function sentBy(multipart: object, v: unknown, parameter: object = {}): Promise<Upload> {
  const { url, seen } = await uploads();
  const call = await httpTool({
    execution: { method: 'post', url, multipart },
    parameters: { v: parameter, none: {}, kind: {} },
    roots: [await temporaryFolder()],
  });
  await call({ v, kind: 'text/csv' });
  return seen[0] as Upload;
}

/** Returns name, media type and text of each part, taken apart by hand: a reader of forms drops the types of values. */
function rawParts({ headers, bytes }: Upload): readonly (readonly string[])[] {
  const boundary = /boundary=(\S+)/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const parts = bytes.toString('utf8').split(`--${boundary}`).slice(1, -1);
  return parts.map((part) => {
    const [head = '', ...rest] = part.slice(2, -2).split('\r\n\r\n');
    return [/name="([^"]*)"/.exec(head)?.[1] ?? '', /Content-Type: (.*)/.exec(head)?.[1] ?? '', rest.join('\r\n\r\n')];
  });
}

const json = 'application/json';
const object = { k: 'ü', n: null };

const rows: readonly { what: string; part: object; value: unknown; sent: readonly (readonly string[])[] }[] = [
  { what: 'an object as JSON', part: { content_type: json }, value: object, sent: [['m', json, '{"k":"ü","n":null}']] },
  { what: 'a text as JSON', part: { content_type: json }, value: 'a"b', sent: [['m', json, '"a\\"b"']] },
  {
    what: 'items as JSON',
    part: { content_type: 'application/vnd.a+json' },
    value: [{ a: 1 }, 'b', null],
    sent: [
      ['m', 'application/vnd.a+json', '{"a":1}'],
      ['m', 'application/vnd.a+json', '"b"'],
    ],
  },
  { what: 'a list as one JSON', part: { content_type: json, explode: false }, value: [1, 'b', null], sent: [['m', json, '[1,"b",null]']] },
  {
    what: 'a text with a type',
    part: { content_type: 'text/csv; charset=utf-8' },
    value: 'a,b\r\n1,2',
    sent: [['m', 'text/csv; charset=utf-8', 'a,b\r\n1,2']],
  },
  { what: 'a type from a parameter', part: { content_type: '{kind}' }, value: 5, sent: [['m', 'text/csv', '5']] },
  { what: 'no type where it has no value', part: { content_type: '{none}' }, value: 'x', sent: [['m', '', 'x']] },
  {
    what: 'an exploded list',
    part: { style: 'form' },
    value: ['a,b', 2],
    sent: [
      ['m', '', 'a,b'],
      ['m', '', '2'],
    ],
  },
  { what: 'a list with commas', part: { style: 'form', explode: false }, value: ['a b%', 2], sent: [['m', '', 'a b%,2']] },
  { what: 'a list with bars', part: { style: 'pipeDelimited' }, value: ['a,b', 2], sent: [['m', '', 'a,b|2']] },
  { what: 'a list with blanks', part: { style: 'spaceDelimited', explode: false }, value: ['é', 2], sent: [['m', '', 'é 2']] },
  { what: 'an exploded object', part: { style: 'form', explode: true }, value: object, sent: [['k', '', 'ü']] },
  {
    what: 'lists and objects inside of an exploded object as they are alone',
    part: { style: 'form', explode: true },
    value: { tags: ['a', 'b'], meta: object, rows: [{ a: 1 }, { a: 2 }], none: [] },
    sent: [
      ['tags', '', 'a'],
      ['tags', '', 'b'],
      ['meta', json, '{"k":"ü","n":null}'],
      ['rows', json, '{"a":1}'],
      ['rows', json, '{"a":2}'],
    ],
  },
  {
    what: 'a nested object',
    part: { style: 'deepObject' },
    value: { a: { b: ['x', 'y'] }, 'c"\r\n': 1 },
    sent: [
      ['m[a][b][]', '', 'x'],
      ['m[a][b][]', '', 'y'],
      ['m[c%22%0D%0A]', '', '1'],
    ],
  },
  { what: 'a value alone as without a description', part: {}, value: object, sent: [['m', json, '{"k":"ü","n":null}']] },
  { what: 'nothing for null', part: { content_type: json }, value: null, sent: [] },
  { what: 'nothing for an empty list', part: { style: 'form', explode: false }, value: [], sent: [] },
];

describe('executor-http: parts of multipart with a type or a style', () => {
  for (const { what, part, value, sent } of rows)
    it(`send ${what}`, async () => expect(rawParts(await sentBy({ m: { value: '{v}', ...part } }, value))).to.deep.equal(sent));

  it('keep integers beyond 2^53', async () => {
    const multipart = { m: { value: { id: '{v}' }, content_type: json }, s: { value: '{v}', style: 'form' } };
    expect(rawParts(await sentBy(multipart, '9007199254740993', { type: 'integer' }))).to.deep.equal([
      ['m', json, '{"id":9007199254740993}'],
      ['s', '', '9007199254740993'],
    ]);
  });

  it('send a list of files as a repeated part, beside values', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'A', 'b.json': '{}' });
    const { url, seen } = await uploads();
    const call = await httpTool({
      execution: { method: 'post', url, multipart: { meta: { value: { n: '{n}' }, content_type: json }, files: { file: '{files}' } } },
      parameters: { n: {}, files: { type: 'array', items: { type: 'string', path: 'read' } } },
      roots: [folder],
    });
    await call({ n: 1, files: [path.join(folder, 'a.txt'), path.join(folder, 'b.json')] });
    expect((await partsOf(seen[0] as Upload)).slice(1)).to.deep.equal([
      ['files', { name: 'a.txt', type: 'text/plain', text: 'A' }],
      ['files', { name: 'b.json', type: 'application/json', text: '{}' }],
    ]);
  });

  const refused: readonly (readonly [what: string, part: object, value: unknown])[] = [
    ['an object that is no text', { content_type: 'application/xml' }, object],
    ['an item with the comma that separates', { style: 'form', explode: false }, ['a,b']],
    ['an item with the bar that separates', { style: 'pipeDelimited' }, ['a|b']],
    ['a type that breaks the header', { content_type: '{v}' }, 'text/plain\r\nX-A: 1'],
    ['a type that is none', { content_type: '{v}' }, 'csv'],
  ];
  for (const [what, part, value] of refused)
    it(`refuse ${what}`, () => rejection(sentBy({ m: { value: '{v}', ...part } }, value), 'INVALID_PARAMETERS'));

  const wrong: readonly (readonly [what: string, part: object, place: string, says: string])[] = [
    ['another key', { value: '{v}', content_type: json, charset: 'x' }, 'multipart.m/1', 'another key as well, "charset"'],
    ['a mistyped key', { value: '{v}', style: 'form', explod: true }, 'multipart.m/1', 'Did you mean "explode"?'],
    ['allow_reserved', { value: '{v}', allow_reserved: true }, 'multipart.m/1.allow_reserved', 'not known'],
    ['a style and a type', { value: '{v}', style: 'form', content_type: json }, 'multipart.m/1.style', 'keep one of the two'],
    ['a style of paths', { value: '{v}', style: 'matrix' }, 'multipart.m/1.style', 'expected one of'],
    ['deepObject without explode', { value: '{v}', style: 'deepObject', explode: false }, 'multipart.m/1.explode', 'cannot be false'],
    ['a local path', { value: '{file}', content_type: json }, 'multipart', 'local path {file}'],
  ];
  for (const [what, part, place, says] of wrong)
    it(`are refused with ${what}`, async () => {
      const kernel = await testKernel({
        tools: [
          {
            name: 'probe',
            description: 'd',
            parameters: { v: {}, file: { type: 'string', path: 'read' } },
            execution: { type: 'http', method: 'post', url: 'https://shop.example/', multipart: { 'm/1': part } },
          },
        ],
        plugins: [executorHttp()],
      });
      expect(kernel.registry.problems.map((problem) => `${problem.path}: ${problem.message}`).join('\n'))
        .to.include(place)
        .and.to.include(says);
    });
});
