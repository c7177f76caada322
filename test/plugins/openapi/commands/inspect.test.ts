import { readdir } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { documentFlags } from '../../../../plugins/openapi/commands/document-flags.ts';
import { inspectCommand } from '../../../../plugins/openapi/commands/inspect/command.ts';
import { proposeName } from '../../../../plugins/openapi/commands/propose-name.ts';
import { afterEach } from '../../../support/after-each.ts';
import { library, project, run } from '../project.ts';

const servers: http.Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Serves these texts, and returns the address. */
async function serve(pages: Readonly<Record<string, string>>): Promise<string> {
  const server = http.createServer(({ url = '' }, response) => {
    const page = pages[url];
    response.writeHead(page === undefined ? 404 : 200).end(page);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('toolkit openapi inspect', () => {
  it('shows tools, names to set and hosts, and the command that adds them; it writes nothing', async () => {
    const folder = await project();
    const { out } = await run(inspectCommand, folder, ['library.json']);
    expect(out).to.match(/^Library API 1\.4\.0, OpenAPI 3\.0, library\.json\n4 tools of 4 operations/);
    expect(out).to.match(/Names to set.*\n {2}LIBRARY_TOKEN/);
    expect(out).to.include('https://library.example').and.include('toolkit openapi add library.json --name library');
    expect(await readdir(folder)).to.deep.equal(['library.json']);
  });

  it('prints JSON for programs', async () => {
    const { out } = await run(inspectCommand, await project(), ['library.json'], { json: true, name: 'books' });
    // No number: compared with what this test expects.
    expect(JSON.parse(out)).to.deep.include({
      name: 'books',
      title: 'Library API',
      operations: 4,
      tools: 4,
      hosts: ['https://library.example'],
    });
  });

  it('groups what is left out by its reason', async () => {
    const text = (await library()).replace(
      '"paths": {',
      '"paths": { "/a": { "trace": { "responses": {} } }, "/b": { "trace": { "responses": {} } },',
    );
    const { out } = await run(inspectCommand, await project({ 'odd.json': text }), ['odd.json']);
    expect(out).to.match(/Left out: 2 operations\n +2 +TRACE: trace \/a, trace \/b/);
  });

  it('shows control characters of the document escaped', async () => {
    const text = (await library()).replace('Library API', 'Library\\u001b[2J\\u202eAPI');
    const { out } = await run(inspectCommand, await project({ 'odd.json': text }), ['odd.json']);
    expect(out).to.include('Library\\u001b[2J\\u202eAPI');
  });

  const wrong: Readonly<Record<string, [files: Readonly<Record<string, string>>, document: string, code: string, message: RegExp]>> = {
    'a file that is not there': [{}, 'nowhere.json', 'NOT_FOUND', /There is no file "nowhere\.json"/],
    'a folder': [{ 'api/a.json': '{}' }, 'api', 'NOT_FOUND', /is a folder/],
    'a web page': [
      { 'a.json': '<!DOCTYPE html><title>Swagger UI</title>' },
      'a.json',
      'CONFIG_INVALID',
      /is a web page, not an OpenAPI document/,
    ],
    'a text that is no YAML': [{ 'a.yaml': 'openapi: 3.0.0\n  info: [' }, 'a.yaml', 'CONFIG_INVALID', /a\.yaml" is no YAML/],
    'another JSON': [{ 'a.json': '{"swaggerish": true}' }, 'a.json', 'CONFIG_INVALID', /is no OpenAPI document/],
    'the name of a folder that a URL looks like': [{}, 'http://[', 'INVALID_PARAMETERS', /is no URL/],
  };
  for (const [what, [files, document, code, message]] of Object.entries(wrong))
    it(`refuses ${what}`, async () => {
      const { error } = await run(inspectCommand, await project(files), [document]);
      expect(error?.code).to.equal(code);
      expect(error?.message).to.match(message);
    });

  it('fetches a URL of a private host only when the host is named', async () => {
    const host = await serve({ '/openapi.json': await library(), '/docs': '<html></html>' });
    const folder = await project();
    const of = (page: string, flags = {}) => run(inspectCommand, folder, [`http://${host}${page}`], flags);
    const refused = await of('/openapi.json');
    expect(refused.error?.code).to.equal('OUTBOUND_BLOCKED');
    expect(refused.error?.message).to.include(`--allow-host ${host}`);
    expect((await of('/openapi.json', { allowHost: host })).out).to.include('4 tools of 4 operations');
    expect((await of('/nowhere', { allowHost: host })).error?.message).to.include('answered 404');
    expect((await of('/docs', { allowHost: host })).error?.message).to.include('web page');
    expect((await of('/openapi.json', { allowHost: 'localhost' })).error?.code).to.equal('INVALID_PARAMETERS');
  });

  it('says that a name is taken', async () => {
    const folder = await project();
    const { error } = await run(
      inspectCommand,
      folder,
      ['library.json'],
      { name: 'books_of' },
      { sources: { books: { document: './library.json' } } },
    );
    expect(error?.message).to.include('"books"').and.include('Give one of them another name');
  });
});

describe('the flag --server', () => {
  const { parse } = documentFlags.find(({ flag }) => flag.startsWith('--server')) ?? {};

  it('takes a whole URL, and nothing else', () => {
    expect(parse?.('http://localhost:3000/v1')).to.equal('http://localhost:3000/v1');
    for (const value of ['/v1', 'localhost:3000', 'file:///etc/passwd', '']) expect(() => parse?.(value), value).to.throw('whole URL');
  });
});

describe('the proposed name of a source', () => {
  const names: Readonly<Record<string, [text: string, document: string]>> = {
    library: ['{"info": {"title": "Library API"}}', 'a.json'],
    box: ['info:\n  title: Box Platform API\n', 'a.yaml'],
    petstore: ['info:\n  title: "Swagger Petstore - OpenAPI 3.0"\n', 'a.yaml'],
    shop: ['{}', path.join('apis', 'shop.v2.json')],
    service: ['{"title": "图书馆"}', '42.json'],
  };
  for (const [name, [text, document]] of Object.entries(names))
    it(`is ${name} for ${text.slice(0, 40).trim()}`, () => {
      expect(proposeName(text, document)).to.equal(name);
    });
});
