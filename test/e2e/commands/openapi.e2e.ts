import { readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { afterEach } from '../../support/after-each.ts';
import { temporaryFolder, writeFiles } from '../../support/temporary.ts';
import { start } from '../program.ts';

const servers: http.Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Serves one book at any path, and returns the address. */
async function books(): Promise<string> {
  const server = http.createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"isbn": "9780141439518", "title": "Pride and Prejudice"}');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An empty folder with the document. */
async function project() {
  const cwd = await temporaryFolder({ 'library.json': await readFile(path.resolve('fixtures/openapi/library.json'), 'utf8') });
  const env = { XDG_STATE_HOME: await temporaryFolder(), LIBRARY_TOKEN: 'letmein-please' };
  const run = async (...args: readonly string[]): Promise<{ code: number | null; out: string; errors: string }> => {
    const { exit, stdout, stderr } = start(args, { cwd, env });
    const { code } = await exit;
    return { code, out: stdout(), errors: stderr() };
  };
  return { cwd, run };
}

describe('a document at the command line', () => {
  it('leads from an empty folder to a first call, to types and to a recorded test', async () => {
    const { cwd, run } = await project();
    const url = await books();
    const added = await run('openapi', 'add', 'library.json', '--server', `${url}/v1`);
    expect(added.code, added.errors).to.equal(0);
    expect((await run('list', '--provider', 'library')).out).to.match(/library_get_book[\s\S]*4 tools/);
    expect((await run('secrets', 'check', '--tools', 'library_*')).out).to.match(/LIBRARY_TOKEN +found by/);
    const called = await run('run', 'library_get_book', '--isbn', '9780141439518');
    expect(called.out, called.errors).to.include('Pride and Prejudice');
    expect((await run('types', '--print')).out).to.match(/library_add_book: \{\n +parameters: \{[\s\S]*?sequel\?: \{/);
    const cassette = { tool: 'library_get_book', examples: [{ parameters: { isbn: '9780141439518' } }] };
    await writeFiles(cwd, { 'cassettes/library/library_get_book.cassette.json': JSON.stringify(cassette) });
    const recorded = await run('test', 'library_get_book', '--record');
    expect(recorded.code, recorded.errors + recorded.out).to.equal(0);
    for (const server of servers.splice(0)) server.close();
    const replayed = await run('test', 'library_get_book');
    expect(replayed.code, replayed.errors + replayed.out).to.equal(0);
    expect(await readFile(path.join(cwd, 'cassettes/library/library_get_book.cassette.json'), 'utf8'))
      .to.include('Pride')
      .and.not.include('letmein');
  });

  it('ends with 1 when a document has changed, which doctor says as well', async () => {
    const { cwd, run } = await project();
    await run('openapi', 'add', 'library.json');
    expect((await run('openapi', 'diff', 'library')).code).to.equal(0);
    await rm(path.join(cwd, 'library.json'));
    await writeFiles(cwd, {
      'library.json': (await readFile(path.resolve('fixtures/openapi/library.json'), 'utf8')).replace('"poetry", ', ''),
    });
    const diff = await run('openapi', 'diff', 'library');
    expect(diff.code).to.equal(1);
    expect(diff.out).to.include('genre: no longer "poetry"');
    expect((await run('doctor')).out).to.include('library.json has changed');
    expect((await run('openapi', 'update', 'library')).code).to.equal(2);
    expect((await run('openapi', 'update', 'library', '--yes')).code).to.equal(0);
    expect((await run('openapi', 'diff', 'library')).code).to.equal(0);
  });

  it('ejects a tool that validates', async () => {
    const { run } = await project();
    await run('openapi', 'add', 'library.json');
    expect((await run('openapi', 'eject', 'library', 'addBook')).code).to.equal(0);
    const validated = await run('validate', 'tools');
    expect(validated.code, validated.out).to.equal(0);
    const listed = (await run('list')).out;
    expect(listed)
      .to.include('my_library_add_book')
      .and.not.match(/^library_add_book/m);
  });
});
