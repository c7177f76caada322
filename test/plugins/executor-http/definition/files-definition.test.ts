import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { confinePaths } from '../../../../plugins/confine-paths/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { toolFiles } from '../../../../plugins/tool-files/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { bareKernel } from '../../../support/test-kernel.ts';
import { httpTool } from '../http-tool.ts';

const url = 'https://example.com/';
const file = { type: 'string', path: 'read' };
const target = { type: 'string', path: 'write' };
const parameters = {
  text: { type: 'string' },
  thing: { type: 'object' },
  list: { type: 'array' },
  any: {},
  file,
  target,
  replace: { type: 'boolean' },
};
const type = (name: string): object => ({ headers: { 'Content-Type': name } });

/** Returns the words of the error of a definition, or nothing where it loads. */
async function problemOf(execution: object, definition: object = {}, provider?: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await temporaryFolder();
  const call = await httpTool({
    execution: { method: 'post', url, ...execution },
    parameters,
    definition: { ...definition },
    roots: [folder],
    // Nothing is sent: the address is not open.
    ...(provider === undefined ? {} : { provider }),
  });
  const error = await call({ text: 't', thing: {}, list: [], any: 1 }, { isTrial: true }).then(
    () => undefined,
    (thrown: { code: string; message: string }) => thrown,
  );
  return error?.code === 'TOOL_INVALID' ? error.message : '';
}

describe('executor-http: a body that becomes something else than is declared', () => {
  const refused = [
    {
      what: 'multipart with an object',
      execution: { ...type('multipart/form-data'), body: { a: 1 } },
      says: 'Write the parts under "multipart"',
    },
    {
      what: 'multipart with a text',
      execution: { ...type('Multipart/Form-Data'), body: 'a={text}' },
      says: 'Write the parts under "multipart"',
    },
    { what: 'multipart without a body', execution: type('multipart/mixed'), says: 'a request without a body' },
    {
      what: 'multipart with a form',
      execution: { ...type('multipart/form-data'), form: { a: 1 } },
      says: 'is sent as application/x-www-form-urlencoded',
    },
    {
      what: 'multipart with one file',
      execution: { ...type('multipart/form-data'), body_file: '{file}' },
      says: '"body_file" does not become',
    },
    {
      what: 'multipart twice',
      execution: { ...type('multipart/form-data'), multipart: { a: '{text}' } },
      says: 'writes itself, with its boundary',
    },
    { what: 'XML with an object', execution: { ...type('application/xml'), body: { a: '{text}' } }, says: 'which is sent as JSON' },
    {
      what: 'SOAP with a list',
      execution: { ...type('application/soap+xml; charset=utf-8'), body: ['{text}'] },
      says: 'which is sent as JSON',
    },
    { what: 'a plain text with an object', execution: { ...type('text/plain'), body: { a: 1 } }, says: 'which is sent as JSON' },
    { what: 'bytes with an object', execution: { ...type('application/octet-stream'), body: { a: 1 } }, says: 'which is sent as JSON' },
    {
      what: 'CSV with a list that the caller gives',
      execution: { ...type('text/csv'), body: '{list}' },
      says: 'is {list}, an object or list',
    },
    {
      what: 'XML with an object that the caller gives',
      execution: { ...type('text/xml'), body: '{thing}' },
      says: 'is {thing}, an object or list',
    },
    {
      what: 'a form with JSON declared',
      execution: { ...type('application/json'), form: { a: 1 } },
      says: 'Remove the header, or use "body"',
    },
    {
      what: 'JSON with a text that is none',
      execution: { ...type('application/json'), body: 'a: {text}' },
      says: 'is no JSON once it is filled in',
    },
  ];
  for (const { what, execution, says } of refused)
    it(`is refused: ${what}`, async () => {
      expect(await problemOf(execution))
        .to.include(says)
        .and.include('execution.headers');
    });

  const accepted = [
    {
      what: 'multipart that a text writes itself',
      execution: { ...type('multipart/related; boundary=b'), body: '--b\r\n\r\n{text}\r\n--b--' },
    },
    { what: 'multipart in a file', execution: { ...type('multipart/related; boundary=b'), body_file: '{file}' } },
    { what: 'parts without a header', execution: { multipart: { a: '{text}', f: { file: '{file}' } } } },
    { what: 'XML as a text', execution: { ...type('application/xml'), body: '<a>{text}</a>' } },
    { what: 'XML that the caller writes', execution: { ...type('application/xml'), body: '{text}' } },
    { what: 'JSON of another name', execution: { ...type('application/vnd.api+json'), body: { a: 1 } } },
    { what: 'JSON as a text', execution: { ...type('application/json'), body: '{ "a": "{text}", "b": {any} }' } },
    { what: 'JSON that the caller writes', execution: { ...type('application/json'), body: '{text}' } },
    { what: 'JSON patches', execution: { ...type('application/json-patch+json'), body: '{list}' } },
    { what: 'an object as a form', execution: { ...type('application/x-www-form-urlencoded'), body: { a: 1 } } },
    { what: 'a type that the caller names', execution: { headers: { 'Content-Type': '{text}' }, body: { a: 1 } } },
    { what: 'a file of any type', execution: { ...type('application/pdf'), body_file: '{file}' } },
  ];
  for (const { what, execution } of accepted)
    it(`is not refused: ${what}`, async () => {
      expect(await problemOf(execution)).to.equal('');
    });

  for (const own of [{ multipart: { a: '{text}' } }, { form: { a: '{text}' } }, { body_file: '{file}' }])
    it(`is not refused for what the provider declares of other bodies: ${Object.keys(own)[0]}`, async () => {
      expect(await problemOf(own, {}, { headers: { 'content-type': 'application/json' } })).to.equal('');
    });

  it('is refused when it is sent, where only the call tells', async () => {
    const call = await httpTool({ execution: { method: 'post', url, ...type('application/xml'), body: '{any}' }, parameters: { any: {} } });
    expect((await rejection(call({ any: { a: 1 } }), 'INVALID_PARAMETERS')).message).to.include('declared as application/xml');
  });
});

describe('executor-http: bodies and files in a definition', () => {
  const refused = [
    { what: 'two bodies', execution: { body: {}, multipart: { a: '{text}' } }, says: 'cannot stand beside "body"' },
    { what: 'parts and one file', execution: { multipart: { a: '{text}' }, body_file: '{file}' }, says: 'cannot stand beside "multipart"' },
    { what: 'parts with GET', execution: { method: 'get', multipart: { a: '{text}' } }, says: 'cannot be sent with the method "get"' },
    { what: 'a file with HEAD', execution: { method: 'head', body_file: '{file}' }, says: 'cannot be sent with the method "head"' },
    { what: 'a file by a text', execution: { body_file: '{text}' }, says: 'say "path: read" on that parameter' },
    { what: 'a file by a path to write', execution: { body_file: '{target}' }, says: 'say "path: read" on that parameter' },
    { what: 'a file by a fixed path', execution: { body_file: '/etc/passwd' }, says: 'expected "{name}" of a parameter' },
    { what: 'a file below a parameter', execution: { multipart: { f: { file: '{file}/x' } } }, says: 'expected "{name}" of a parameter' },
    { what: 'a part with another key', execution: { multipart: { f: { file: '{file}', filename: 'a' } } }, says: 'multipart.f' },
    { what: 'a path in the URL', execution: { url: 'https://example.com/{file}' }, says: 'puts the local path {file} into the request' },
    { what: 'a path in the query', execution: { query_params: { f: '{file}' } }, says: 'puts the local path {file} into the request' },
    {
      what: 'a path in a styled query',
      execution: { query_params: { f: { value: '{file}', style: 'form' } } },
      says: 'puts the local path {file}',
    },
    { what: 'a path in a header', execution: { headers: { 'X-File': 'at {file}' } }, says: 'puts the local path {file} into the request' },
    { what: 'a path in an object', execution: { body: { a: [{ b: '{file}' }] } }, says: 'puts the local path {file} into the request' },
    { what: 'a path in a text', execution: { body: 'see {target}' }, says: 'puts the local path {target} into the request' },
    { what: 'a path in a form', execution: { form: { f: '{file}' } }, says: 'puts the local path {file} into the request' },
    {
      what: 'a path as the value of a part',
      execution: { multipart: { f: '{file}' } },
      says: 'puts the local path {file} into the request',
    },
    {
      what: 'a path as the name of a file',
      execution: { multipart: { f: { file: '{file}', name: '{file}' } } },
      says: 'puts the local path {file}',
    },
    {
      what: 'a path in what is encoded',
      execution: { body: '{mail}', parameter_encoding: { source: ['file'], target: 'mail', encoding: 'base64' } },
      says: 'puts the local path {file} into the request',
    },
    {
      what: 'a field of authentication',
      execution: { multipart: { a: '{text}' }, auth: { type: 'form', name: 'k', value: '{any}' } },
      says: '"multipart" does not have',
    },
  ];
  for (const { what, execution, says } of refused)
    it(`is refused: ${what}`, async () => {
      expect(await problemOf(execution)).to.include(says);
    });

  it('is refused: a path inside of an object', async () => {
    const folder = await temporaryFolder();
    const execution = { method: 'post', url, body: { given: '{options}' } };
    const options = { type: 'object', properties: { at: { type: 'array', items: file } } };
    const call = await httpTool({ execution, parameters: { options }, roots: [folder] });
    expect((await rejection(call({ options: {} }), 'TOOL_INVALID')).message).to.include('puts the local path {options}');
  });
});

describe('executor-http: save_to in a definition', () => {
  const saveTo = { save_to: { parameter: 'target', overwrite: 'replace' } };
  const refused = [
    { what: 'a tool that only reads', execution: { method: 'get' }, definition: saveTo, says: 'read-only by its annotation' },
    {
      what: 'one that says so',
      execution: {},
      definition: { ...saveTo, annotations: { readOnlyHint: true } },
      says: 'read-only by its annotation',
    },
    { what: 'no parameter', execution: {}, definition: { save_to: { parameter: 'targt' } }, says: 'Did you mean "target"?' },
    { what: 'a parameter that is no path', execution: {}, definition: { save_to: { parameter: 'text' } }, says: 'say "path: write"' },
    { what: 'a path to read', execution: {}, definition: { save_to: { parameter: 'file' } }, says: 'say "path: write"' },
    {
      what: 'a text as overwrite',
      execution: {},
      definition: { save_to: { parameter: 'target', overwrite: 'text' } },
      says: 'no parameter of type boolean',
    },
    {
      what: 'an output_schema that a file does not fit',
      execution: {},
      definition: { ...saveTo, output_schema: { type: 'object', properties: { id: {} }, required: ['id'] } },
      says: 'which output_schema refuses: id is required',
    },
  ];
  for (const { what, execution, definition, says } of refused)
    it(`is refused: ${what}`, async () => {
      expect(await problemOf(execution, definition)).to.include(says);
    });

  it('is taken of a GET that says that it is not read-only', async () => {
    expect(await problemOf({ method: 'get' }, { ...saveTo, annotations: { readOnlyHint: false } })).to.equal('');
  });
});

describe('executor-http: select in a definition', () => {
  const refused = [
    { what: 'a bracket that is not closed', select: 'items[', says: /Unexpected|Syntax|Invalid|Expected/i, column: 7 },
    { what: 'an unknown character', select: 'a.b ~ c', says: /./, column: 5 },
  ];
  for (const { what, select, column } of refused)
    it(`is refused with line and column: ${what}`, async () => {
      const folder = await temporaryFolder();
      const text = [
        'name: probe',
        'description: Probes.',
        `execution: { type: http, method: get, url: "${url}" }`,
        `select: "${select}"`,
        '',
      ].join('\n');
      await writeFile(path.join(folder, 'probe.yaml'), text);
      const kernel = await bareKernel({ plugins: [executorHttp(), confinePaths({ roots: [folder] }), toolFiles({ toolPaths: [folder] })] });
      const [problem] = kernel.registry.problems;
      expect(problem).to.include({ severity: 'error', code: 'TOOL_INVALID', path: 'select' });
      expect(problem?.position?.line).to.equal(4);
      expect(problem?.message)
        .to.match(/^is no JMESPath expression: /)
        .and.include(`(line 1, column ${column} of it)`);
      expect(await readFile(path.join(folder, 'probe.yaml'), 'utf8')).to.equal(text);
    });
});
