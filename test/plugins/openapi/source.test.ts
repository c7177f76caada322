import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { accept } from '../../../plugins/openapi/accepted/accept.ts';
import { openapi } from '../../../plugins/openapi/index.ts';
import { loadSource } from '../../../plugins/openapi/load-source.ts';
import type { DocumentSource } from '../../../plugins/openapi/options.ts';
import { digestOfCopy } from '../../../plugins/shared/lock/accepted-copy.ts';
import { standard } from '../../../plugins/toolkit/standard.ts';
import { rejection } from '../../support/rejection.ts';
import { bareKernel, echoTool, testKernel } from '../../support/test-kernel.ts';
import { until } from '../../support/until.ts';
import { edit, kernelWith, library, project } from './project.ts';

const books = ['books_add_book', 'books_get_book', 'books_list_books', 'books_remove_book'];
const local: DocumentSource = { document: './library.json' };

/** An overlay that removes an operation on the list of books. */
const changes = (method: string): string =>
  `overlay: 1.0.0\ninfo: {title: a, version: b}\nactions: [{target: "$.paths['/books'].${method}", remove: true}]\n`;

const toolsOf = ({ registry }: Kernel): readonly string[] => [...registry.tools.keys()];
const problemsOf = ({ registry }: Kernel): string => registry.problems.map(({ message }) => message).join('\n');

/** A folder in which the document is accepted as the source `books`. */
async function acceptedProject(source: DocumentSource = local): Promise<string> {
  const folder = await project();
  const texts = new Map([[path.join(folder, 'library.json'), await library()]]);
  await acceptAs(folder, source, path.join(folder, 'library.json'), texts);
  return folder;
}

async function acceptAs(folder: string, source: DocumentSource, location: string, texts: ReadonlyMap<string, string>): Promise<void> {
  await accept(folder, 'books', source, await loadSource({ name: 'books', source, location, texts, names: new Map() }));
}

describe('a document as a source', () => {
  it('gives a tool for each operation', async () => {
    const kernel = await kernelWith(await project(), { books: local });
    expect(toolsOf(kernel)).to.deep.equal(books);
    expect(problemsOf(kernel)).to.equal('');
  });

  it('shows an example of a body in XML, made from its schema', async () => {
    const schema = "{ type: object, xml: { name: book }, properties: { isbn: { type: string, example: '1', xml: { attribute: true } } } }";
    const xml = `paths: { /books: { post: { operationId: add, requestBody: { content: { application/xml: { schema: ${schema} } } } } } }`;
    const text = `openapi: 3.0.0\ninfo: { title: a, version: '1' }\nservers: [{ url: https://shop.example }]\n${xml}\n`;
    const kernel = await kernelWith(await project({ 'shop.yaml': text }), { shop: { document: './shop.yaml' } });
    expect(JSON.stringify(kernel.registry.tools.get('shop_add')?.inputSchema)).to.include('<book isbn=\\"1\\"/>');
  });

  it('holds as it is saved, while nothing of it was accepted', async () => {
    const folder = await project();
    const kernel = await kernelWith(folder, { books: local });
    await edit(path.join(folder, 'library.json'), (text) => text.replace('"removeBook"', '"dropBook"'));
    await kernel.sources.relist('books');
    expect(toolsOf(kernel)).to.include('books_drop_book').and.not.include('books_remove_book');
  });

  it('is listed again when its file is saved', async () => {
    const folder = await project();
    const kernel = await kernelWith(folder, { books: local });
    await edit(path.join(folder, 'library.json'), (text) => text.replace('"removeBook"', '"dropBook"'));
    await until(() => toolsOf(kernel).includes('books_drop_book'));
  });

  it('is refused by name when it is a URL that was not accepted: nothing is fetched', async () => {
    const kernel = await kernelWith(await project(), { books: { document: 'http://127.0.0.1:1/openapi.json' } });
    expect(kernel.sources.list()[0]?.state).to.equal('down');
    expect(problemsOf(kernel)).to.include('toolkit openapi update books');
  });

  it('is served from its copy when it is a URL that was accepted', async () => {
    const folder = await project();
    const document = 'https://library.example/openapi.json';
    await acceptAs(folder, { document }, document, new Map([[document, await library()]]));
    expect(toolsOf(await kernelWith(folder, { books: { document } }))).to.deep.equal(books);
  });

  it('may not have a name with which tools of the operator begin', async () => {
    const tool =
      'name: books_own\ndescription: A tool of the operator.\nexecution: { type: http, method: get, url: "https://own.example/" }\n';
    const folder = await project({ 'tools/books_own.yaml': tool });
    const plugins = [standard({ includeCore: false, autoDiscover: false, toolPaths: ['./tools'] }), openapi({ sources: { books: local } })];
    const { message } = await rejection(bareKernel({ cwd: folder, plugins: plugins as never }), 'PLUGIN_INVALID');
    expect(message).to.include('"books_own"').and.include('Give the source another name');
  });

  it('protects its document, its overlay and the lock from tools', async () => {
    const folder = await project({ 'changes.yaml': changes('post') });
    let found: unknown;
    const files = ['library.json', 'changes.yaml', 'toolkit.lock', 'toolkit.lock.d/books.json', 'other.json'];
    const handler = (_given: unknown, { controlFiles }: FunctionContext): string => {
      found = files.filter((file) => controlFiles.find(path.join(folder, file), 'write') !== undefined);
      return '';
    };
    const tool = echoTool({ execution: { type: 'function', handler } });
    const kernel = await testKernel({
      cwd: folder,
      plugins: [openapi({ sources: { books: { ...local, overlay: './changes.yaml' } } })],
      tools: [tool],
    });
    await kernel.call({ tool: 'echo' });
    expect(found).to.deep.equal(files.slice(0, -1));
  });
});

describe('a document that was accepted', () => {
  it('stays as it was accepted when its file changes, and names the command that shows the difference', async () => {
    const folder = await acceptedProject();
    await edit(path.join(folder, 'library.json'), (text) => text.replace('"removeBook"', '"dropBook"'));
    const kernel = await kernelWith(folder, { books: local });
    expect(toolsOf(kernel)).to.deep.equal(books);
    expect(problemsOf(kernel)).to.match(/library\.json has changed.*toolkit openapi diff books/s);
  });

  it('stays as it was accepted when its file is gone', async () => {
    const folder = await acceptedProject();
    await rm(path.join(folder, 'library.json'));
    const kernel = await kernelWith(folder, { books: local });
    expect(toolsOf(kernel)).to.deep.equal(books);
    expect(problemsOf(kernel)).to.include('cannot be read');
  });

  it('stays as it was accepted when the configuration names another document', async () => {
    const folder = await acceptedProject();
    const kernel = await kernelWith(folder, { books: { document: './other.json' } });
    expect(toolsOf(kernel)).to.deep.equal(books);
    expect(problemsOf(kernel)).to.include('the configuration names the document ./other.json');
  });

  it('is listed again when it is accepted anew', async () => {
    const folder = await acceptedProject();
    const kernel = await kernelWith(folder, { books: local });
    const next = (await library()).replace('"removeBook"', '"dropBook"').replace('/books/{isbn}', '/shelf/{isbn}');
    await acceptAs(folder, local, path.join(folder, 'library.json'), new Map([[path.join(folder, 'library.json'), next]]));
    await until(() => toolsOf(kernel).includes('books_drop_book'));
  });

  it('is refused by name when its copy has changed', async () => {
    const folder = await acceptedProject();
    await edit(path.join(folder, 'toolkit.lock.d', 'books.json'), (text) => text.replace('library.example', 'attacker.example'));
    const kernel = await kernelWith(folder, { books: local });
    expect(toolsOf(kernel)).to.deep.equal([]);
    expect(problemsOf(kernel)).to.match(/books\.json" has changed since it was accepted/);
  });

  it('sends to no host that the lock does not have', async () => {
    const folder = await acceptedProject();
    await edit(path.join(folder, 'toolkit.lock'), (text) => text.replace('https://library.example', 'https://other.example'));
    const kernel = await kernelWith(folder, { books: local });
    expect(toolsOf(kernel)).to.deep.equal([]);
    expect(problemsOf(kernel)).to.include('would send to a host that was not accepted');
  });

  it('keeps the names of the lock, and gives no tool to an operation that is not in it', async () => {
    const folder = await acceptedProject();
    await edit(path.join(folder, 'toolkit.lock'), (text) =>
      text.replace('books_get_book', 'books_find').replace(/^.*books_add_book.*\n/m, ''),
    );
    const kernel = await kernelWith(folder, { books: local });
    expect(toolsOf(kernel)).to.deep.equal(['books_find', 'books_list_books', 'books_remove_book']);
    expect(problemsOf(kernel)).to.include('books_add_book: not among the accepted operations');
  });

  it('opens no file that its copy does not have', async () => {
    const folder = await project();
    const text = (await library()).replace('{ "$ref": "#/components/schemas/Book" } } } }', '{ "$ref": "later.json" } } } }');
    const location = path.join(folder, 'library.json');
    await acceptAs(folder, local, location, new Map([[location, text]]));
    await writeFile(path.join(folder, 'later.json'), '{"type": "object", "properties": {"planted": {}}}');
    const { registry } = await kernelWith(folder, { books: local });
    expect(JSON.stringify([...registry.tools.values()].map(({ inputSchema, outputSchema }) => [inputSchema, outputSchema]))).not.to.include(
      'planted',
    );
  });

  it('has a copy with its overlay', async () => {
    const overlay = changes('post');
    const folder = await project({ 'changes.yaml': overlay });
    const source = { ...local, overlay: './changes.yaml' };
    const location = path.join(folder, 'library.json');
    const loaded = await loadSource({ name: 'books', source, location, overlay: path.join(folder, 'changes.yaml'), names: new Map() });
    await accept(folder, 'books', source, loaded);
    await writeFile(path.join(folder, 'changes.yaml'), changes('get'));
    const kernel = await kernelWith(folder, { books: source });
    expect(toolsOf(kernel)).to.deep.equal(['books_get_book', 'books_list_books', 'books_remove_book']);
    expect(problemsOf(kernel)).to.include('changes.yaml has changed');
    const lock = await readFile(path.join(folder, 'toolkit.lock'), 'utf8');
    expect(lock).to.include(digestOfCopy({ document: 'library.json', files: new Map([['library.json', await library()]]), overlay }));
  });
});
