import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { testSourceCommand } from '../../../../../plugins/openapi/commands/test/command.ts';
import { edit, project, type Ran, run } from '../../project.ts';

/** Tests the library, changed before. */
async function tested(change: (text: string) => string, args: readonly string[] = ['library'], flags = {}): Promise<Ran> {
  const folder = await project();
  await edit(path.join(folder, 'library.json'), change);
  return run(testSourceCommand, folder, args, flags, { sources: { library: { document: './library.json' } } });
}

const unchanged = (text: string): string => text;

/** Adds an example to the answer of the list of books. */
const answering = (example: unknown) => (text: string) =>
  text.replace('{ "schema": { "type": "array"', `{ "example": ${JSON.stringify(example)}, "schema": { "type": "array"`);

describe('toolkit openapi test', () => {
  it('calls each tool once, sends nothing to the service, and needs no secret', async () => {
    const { out, notes, error } = await tested(unchanged);
    expect(error).to.equal(undefined);
    expect(out.match(/^passed +library_/gm)).to.have.length(4);
    expect(notes).to.equal('4 passed, 0 failed, 0 not tried\n');
  });

  it('tests the tools that are named', async () => {
    const { out } = await tested(unchanged, ['library', 'library_*_book', 'library_remove_*']);
    expect(out).to.include('library_get_book').and.include('library_add_book').and.not.include('library_list_books');
  });

  it('prints JSON for programs', async () => {
    const { out } = await tested(unchanged, ['library', 'library_get_book'], { json: true });
    // No number: compared with what this test expects.
    expect(JSON.parse(out)).to.deep.equal([{ tool: 'library_get_book', operation: 'get /books/{isbn}', result: 'passed', reasons: [] }]);
  });

  it('fails for an example of an answer that does not match its schema', async () => {
    const { out, error } = await tested(answering([{ isbn: 5, title: 'Five' }]));
    expect(out).to.match(/^failed +library_list_books {2}get \/books\n +the example of the answer: .*isbn/m);
    expect(error?.code).to.equal('EXECUTION_FAILED');
    expect(error?.message).to.match(/^3 passed, 1 failed, 0 not tried\./);
  });

  it('does not try a tool whose required value has no example and cannot be made up', async () => {
    const { out, error } = await tested((text) =>
      text
        .replace(
          '"name": "genre", "in": "query", "schema": {',
          '"name": "genre", "in": "query", "required": true, "schema": { "pattern": "^[0-9]{3}$",',
        )
        .replace('"enum": ["novel", "poetry", "science"]', '"minLength": 1'),
    );
    expect(error).to.equal(undefined);
    expect(out).to.match(/^not tried +library_list_books .*\n +the document has no example of genre/m);
  });

  it('shows control characters of the document escaped', async () => {
    const { out } = await tested((text) => answering([{ isbn: '1', title: 'One' }])(text).replaceAll('/books"', '/books\\u001b[2J"'));
    expect(out).to.not.include('\u001b');
  });

  it('refuses an unknown source, and names that no tool has', async () => {
    expect((await tested(unchanged, ['libary'])).error?.message).to.match(/no source "libary".*library/);
    expect((await tested(unchanged, ['library', 'nothing_*'])).error?.message).to.include('No tool of "library" is named "nothing_*"');
  });

  it('writes nothing', async () => {
    const folder = await project();
    const before = await readFile(path.join(folder, 'library.json'), 'utf8');
    await run(testSourceCommand, folder, ['library'], {}, { sources: { library: { document: './library.json' } } });
    expect(await readdir(folder)).to.deep.equal(['library.json']);
    expect(await readFile(path.join(folder, 'library.json'), 'utf8')).to.equal(before);
  });
});
