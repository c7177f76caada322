import path from 'node:path';
import { expect } from 'chai';
import { loadSource } from '../../../../plugins/openapi/load-source.ts';
import { type Mock, startMock } from '../../../../plugins/openapi/mock/mock-server.ts';
import { afterEach } from '../../../support/after-each.ts';
import { edit, project } from '../project.ts';

const mocks: Mock[] = [];

afterEach(async () => {
  for (const mock of mocks.splice(0)) await mock.close();
});

/** Starts a mock of the library, changed before. */
async function mockOf(change: (text: string) => string = (text) => text): Promise<Mock> {
  const file = path.join(await project(), 'library.json');
  await edit(file, change);
  const { document, schemas } = await loadSource({ name: 'books', source: { document: file }, location: file, names: new Map() });
  const mock = await startMock(document, schemas);
  mocks.push(mock);
  return mock;
}

const json = { 'content-type': 'application/json' };
const book = JSON.stringify({ isbn: '1', title: 'One' });

interface Case {
  readonly target?: string;
  readonly init: RequestInit;
  readonly change?: (text: string) => string;
  readonly fault: RegExp;
}

const faults: Readonly<Record<string, Case>> = {
  'a required body that is missing': { init: { method: 'POST' }, fault: /^the required body is missing$/ },
  'a body of another media type': {
    init: { method: 'POST', body: book, headers: { 'content-type': 'text/plain' } },
    fault: /media type "text\/plain": expected application\/json/,
  },
  'a body that does not match its schema': {
    init: { method: 'POST', body: '{"isbn": "1"}', headers: json },
    fault: /^the body does not match: title/,
  },
  'a body that is no JSON': { init: { method: 'POST', body: '{', headers: json }, fault: /^the body is no JSON/ },
  'a body that the document does not have': {
    target: '/books/1',
    init: { method: 'DELETE', body: 'a' },
    fault: /which the document does not have/,
  },
  'a required query parameter that is missing': {
    init: {},
    change: (text) => text.replace('"name": "genre",', '"name": "genre", "required": true, "style": "pipeDelimited",'),
    fault: /^the required query parameter "genre" is missing$/,
  },
  'a required header that is missing': {
    init: {},
    change: (text) => text.replace('"name": "genre", "in": "query"', '"name": "X-Shelf", "in": "header", "required": true'),
    fault: /^the required header parameter "X-Shelf" is missing$/,
  },
};

describe('the mock of a document', () => {
  it('answers with a value made from the schema, and reports the request', async () => {
    const mock = await mockOf();
    const answer = await fetch(`${mock.url}/books`, { method: 'POST', body: book, headers: json });
    expect(answer.status).to.equal(201);
    expect(await answer.json()).to.include({ title: 'sample' });
    expect(mock.take()).to.have.length(1).and.have.nested.property('[0].operation.operationId', 'addBook');
    expect(mock.take()).to.deep.equal([]);
  });

  it('answers with the example of the document, where it has one', async () => {
    const mock = await mockOf((text) =>
      text.replace(
        '{ "application/json": { "schema": { "type": "array"',
        '{ "application/json": { "example": [], "schema": { "type": "array"',
      ),
    );
    expect(await (await fetch(`${mock.url}/books`)).json()).to.deep.equal([]);
  });

  it('answers without a body where the document has none', async () => {
    const answer = await fetch(`${(await mockOf()).url}/books/1`, { method: 'DELETE' });
    expect([answer.status, await answer.text()]).to.deep.equal([204, '']);
  });

  it('answers with 404 what the document does not have', async () => {
    const mock = await mockOf();
    expect((await fetch(`${mock.url}/loans`)).status).to.equal(404);
    expect(mock.take()[0]).to.deep.equal({ operation: undefined, method: 'GET', path: '/loans', faults: [] });
  });

  it('listens on loopback only', async () => {
    expect(new URL((await mockOf()).url).hostname).to.equal('127.0.0.1');
  });

  for (const [what, { target = '/books', init, change, fault }] of Object.entries(faults))
    it(`answers with 400 to ${what}`, async () => {
      const mock = await mockOf(change);
      expect((await fetch(`${mock.url}${target}`, init)).status).to.equal(400);
      expect(mock.take()[0]?.faults.join('\n')).to.match(fault);
    });
});
