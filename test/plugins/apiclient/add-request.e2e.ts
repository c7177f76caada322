import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { type BruRequest, bruLanguage } from '../../../plugins/apiclient/bru-language.ts';
import { failure } from './failure.ts';
import { type Answer, type Desk, desk, pets, request } from './stand-in.ts';
import { treeOf } from './tree.ts';

const given = { collection_path: 'pets', request_name: 'Ask', method: 'GET', url: '{base}/pets' };

const { bruToJsonV2 } = await bruLanguage();

/** A collection without requests in `pets/`. */
const empty = { files: { 'pets/bruno.json': '{"name":"Pets"}' } };

async function written({ call }: Desk, more: Readonly<Record<string, unknown>>): Promise<BruRequest> {
  const { errors, request_path: file } = await call('add_request', { ...given, ...more });
  expect(errors).to.deep.equal([]);
  return bruToJsonV2(await readFile(file, 'utf8'));
}

describe('apiclient_add_request', () => {
  it('writes one file, with all that it was given', async () => {
    const table = await desk(empty);
    const text = 'Grüße an {alle}\n}\n\n  tests {\n\tend';
    const answer = await table.call('add_request', {
      ...given,
      request_name: 'Größe ändern',
      method: 'POST',
      url: 'https://pets.example/{id}?q=ü&p={{page}}',
      headers: { Accept: 'application/json', 'X-Note': 'a: {b} "c" ü', Authorization: 'Bearer {{token}}' },
      body: '{ "name": "{{pet}}", "list": [1, {}] }',
      tests: text,
      documentation: text,
    });
    const file = path.join(table.root, 'pets/groesse-aendern.bru');
    expect(answer).to.deep.equal({
      success: true,
      request_path: file,
      request_name: 'Größe ändern',
      message: 'Added "Größe ändern" to "Pets". Run it with apiclient_run_request.',
      errors: [],
    });
    expect(bruToJsonV2(await readFile(file, 'utf8'))).to.deep.equal({
      meta: { name: 'Größe ändern', type: 'http', seq: '1' },
      http: { method: 'post', url: 'https://pets.example/{{id}}?q=ü&p={{page}}', body: 'json', auth: 'inherit' },
      headers: [
        { name: 'Accept', value: 'application/json', enabled: true },
        { name: 'X-Note', value: 'a: {b} "c" ü', enabled: true },
        { name: 'Authorization', value: 'Bearer {{token}}', enabled: true },
      ],
      body: { json: '{ "name": "{{pet}}", "list": [1, {}] }' },
      tests: text,
      docs: text,
    });
    expect(await treeOf(table.root)).to.deep.equal(['pets/', 'pets/bruno.json', 'pets/groesse-aendern.bru']);
    expect(await table.starts()).to.deep.equal([]);
  });

  it('puts a request after the others of the top folder', async () => {
    const table = await desk({ files: pets({ 'a.bru': request('A').replace('type: http', 'type: http\n  seq: 7') }) });
    expect((await written(table, { method: 'DELETE' })).meta?.seq).to.equal('8');
    const { collection } = await table.call('get_collection_info', { collection_path: 'pets' });
    expect(collection.requests.find(({ name }) => name === 'Ask')).to.deep.include({
      method: 'DELETE',
      url: '{{base}}/pets',
      file: 'ask.bru',
    });
  });

  const urls: { url: string; kept: string }[] = [
    { url: '{base}/a', kept: '{{base}}/a' },
    { url: '{{base}}/a', kept: '{{base}}/a' },
    { url: '{{base}}/{id}/{{x}}?a={b.c}', kept: '{{base}}/{{id}}/{{x}}?a={{b.c}}' },
    { url: 'https://x/{process.env.HOST}', kept: 'https://x/{{process.env.HOST}}' },
    { url: '  http://x/日本  ', kept: 'http://x/日本' },
  ];
  for (const { url, kept } of urls) {
    it(`writes the address ${JSON.stringify(url)} as ${kept}`, async () => {
      expect((await written(await desk(empty), { url })).http?.url).to.equal(kept);
    });
  }

  const bodies: { title: string; body: string; headers?: Record<string, string>; kept: Record<string, string> | undefined }[] = [
    { title: 'JSON, with single braces as they are', body: '{"a": {"b": 1}}', kept: { json: '{"a": {"b": 1}}' } },
    { title: 'JSON with a variable for a value', body: '{"a": {{n}}}', kept: { json: '{"a": {{n}}}' } },
    {
      title: 'JSON with a variable in a longer text',
      body: '{"a": "Hi {{n}}, \\"{{m}}\\""}',
      kept: { json: '{"a": "Hi {{n}}, \\"{{m}}\\""}' },
    },
    { title: 'text', body: 'Hi {{n}}', kept: { text: 'Hi {{n}}' } },
    { title: 'text that is JSON, when its header says so', body: '{}', headers: { 'content-type': 'text/plain' }, kept: { text: '{}' } },
    { title: 'XML', body: '<a/>', headers: { 'Content-Type': 'application/soap+xml' }, kept: { xml: '<a/>' } },
    { title: 'lines that end with CR LF', body: 'a\r\nb\r\n', kept: { text: 'a\nb' } },
    { title: 'nothing for an empty one', body: '', kept: undefined },
  ];
  for (const { title, body, headers = {}, kept } of bodies) {
    it(`keeps as a body ${title}`, async () => {
      const file = await written(await desk(empty), { method: 'PUT', body, headers });
      expect(file.body).to.deep.equal(kept);
      expect(file.http?.body).to.equal(kept === undefined ? 'none' : Object.keys(kept)[0]);
    });
  }

  const names: { name: string; file: string }[] = [
    { name: 'get-pet-7', file: 'get-pet-7.bru' },
    { name: '-x', file: 'x.bru' },
    { name: '日本', file: '日本.bru' },
    { name: 'collection', file: 'collection-request.bru' },
    { name: 'Folder', file: 'folder-request.bru' },
    { name: 'a: "b" [c] ~d', file: 'a-b-c-d.bru' },
    { name: 'x'.repeat(200), file: `${'x'.repeat(100)}.bru` },
  ];
  for (const { name, file } of names) {
    it(`writes "${name.slice(0, 20)}" into ${file.slice(0, 30)}`, async () => {
      const table = await desk(empty);
      expect((await written(table, { request_name: name })).meta?.name).to.equal(name);
      expect(await treeOf(path.join(table.root, 'pets'))).to.deep.equal([file, 'bruno.json'].sort());
    });
  }

  const refusals: { title: string; more: Record<string, unknown>; words: readonly string[] }[] = [
    {
      title: 'a name with a line end and a block',
      more: { request_name: 'a\n}\nscript:pre-request {' },
      words: ['"request_name"', '"\\n"'],
    },
    { title: 'a name with a brace', more: { request_name: 'a}' }, words: ['"request_name"', '"}"'] },
    { title: 'a name with a path', more: { request_name: '../../up' }, words: ['"request_name"', '"/"'] },
    {
      title: 'a name without letters and digits',
      more: { request_name: '!!!' },
      words: ['"request_name"', 'at least one letter or digit'],
    },
    { title: 'a name that exists', more: { request_name: 'Get pet' }, words: ['"Get pet" exists, in get-pet.bru', 'left as it is'] },
    { title: 'a name whose file exists', more: { request_name: 'get pet' }, words: ['/get-pet.bru exists', 'another request_name'] },
    { title: 'an unknown method', more: { method: 'TRACE' }, words: ['method', 'GET', 'TRACE'] },
    { title: 'a method in small letters', more: { method: 'get' }, words: ['method', 'GET'] },
    { title: 'an address with a line end', more: { url: 'http://a/\nb' }, words: ['"url"', '%20'] },
    { title: 'an address with a space', more: { url: 'http://a/b c' }, words: ['"url"', '%20'] },
    { title: 'an address with an odd brace', more: { url: 'http://a/}' }, words: ['"url"', 'braces'] },
    { title: 'an address of another kind', more: { url: 'file:///etc/passwd' }, words: ['"url"', 'http://'] },
    { title: 'an address that is none', more: { url: 'pets' }, words: ['"url"', 'http://'] },
    { title: 'a header that would be switched off', more: { headers: { '~A': 'b' } }, words: ['"headers.~A"'] },
    { title: 'a header name with a line end', more: { headers: { 'A\nB': 'b' } }, words: ['header name'] },
    { title: 'a header value with a line end', more: { headers: { A: 'b\nC: d' } }, words: ['"headers.A"', 'one line'] },
    { title: 'a header value that would lose its quotes', more: { headers: { A: "'''x'''" } }, words: ['"headers"', 'read back'] },
    { title: 'a name that would lose its quotes', more: { request_name: "'''x'''" }, words: ['"request_name"', 'read back'] },
    { title: 'a body of a GET', more: { body: '{}' }, words: ['"body"', 'POST, PUT, PATCH', 'received GET'] },
    { title: 'a body with a null byte', more: { method: 'POST', body: 'a\0' }, words: ['"body"', 'null bytes'] },
    { title: 'a collection that is missing', more: { collection_path: 'gone' }, words: ['/gone" cannot be opened (ENOENT)'] },
    {
      title: 'a folder that is no collection',
      more: { collection_path: '.' },
      words: ['is not a collection', '"bruno.json"', 'apiclient_create_collection'],
    },
    { title: 'a collection outside of the roots', more: { collection_path: '..' }, words: ['expected a path inside'] },
    { title: 'a collection of YAML files', more: { collection_path: 'yaml' }, words: ['is an OpenCollection', '.bru'] },
  ];
  for (const { title, more, words } of refusals) {
    it(`refuses ${title} and writes nothing`, async () => {
      const { call, root } = await desk({ files: { ...pets(), 'yaml/opencollection.yml': 'info:\n  name: Y\n' } });
      const before = await treeOf(root);
      failure(await call('add_request', { ...given, ...more }), ...words);
      expect(await treeOf(root)).to.deep.equal(before);
    });
  }

  it('adds one request of a name when several calls ask for it at once', async () => {
    const { call, root } = await desk(empty);
    const answers = await Promise.all(Array.from({ length: 5 }, (): Promise<Answer> => call('add_request', given)));
    expect(answers.filter(({ success }) => success)).to.have.length(1);
    expect(await treeOf(root)).to.deep.equal(['pets/', 'pets/ask.bru', 'pets/bruno.json']);
  });

  it('does not write through a link that has the name of its file', async () => {
    const { call, root } = await desk(empty);
    await mkdir(path.join(root, 'other'));
    await symlink(path.join(root, 'other/made'), path.join(root, 'pets/ask.bru'));
    failure(await call('add_request', given), 'ask.bru exists');
    expect(await treeOf(path.join(root, 'other'))).to.deep.equal([]);
  });
});
