import { expect } from 'chai';
import { readOne, readPaths } from '../read-value.ts';

describe('the path of an operation', () => {
  const paths: Record<string, [sent: string, query: readonly (readonly string[])[], parameters: readonly string[]]> = {
    '/a/{id}:verb': ['/a/{id}:verb', [], ['path id']],
    '/a({id})/b': ['/a({id})/b', [], ['path id']],
    '/a/{x}.{y}': ['/a/{x}.{y}', [], ['path x', 'path y']],
    '/{Bucket}?acl': ['/{Bucket}', [['acl', '']], ['path Bucket']],
    '/rest?method=a.b%20c&d': [
      '/rest',
      [
        ['method', 'a.b c'],
        ['d', ''],
      ],
      [],
    ],
    '/#Action=Run': ['/', [], []],
    '/{Key}#uploadId&partNumber': ['/{Key}', [], ['path Key']],
    '/a?q={text}&fixed=1': ['/a', [['fixed', '1']], ['query q']],
    '/a?{q}=1': ['/a', [], ['query q']],
    '/a{?page,limit*}': ['/a', [], ['query page', 'query limit']],
    '/a/{+path}': ['/a/{path}', [], ['path path']],
    '/a/{id:}/b': ['/a/{id}/b', [], ['path id']],
    '/a/{ id }': ['/a/{id}', [], ['path id']],
    '/a/{}': ['/a/{}', [], []],
    'a/b': ['/a/b', [], []],
  };
  for (const [path, [sent, query, parameters]] of Object.entries(paths)) {
    it(`is taken apart: ${path}`, async () => {
      const operation = await readOne({}, path);
      expect(operation.sentPath ?? operation.path).to.equal(sent);
      expect(operation.fixedQuery ?? []).to.deep.equal(query);
      expect(operation.parameters.map(({ in: place, name }) => `${place} ${name}`)).to.deep.equal(parameters);
    });
  }

  it('has the declared parameter of a query in the path', async () => {
    const { parameters, notes } = await readOne({ parameters: [{ name: 'q', in: 'path', description: 'text' }] }, '/a?q={q}');
    expect(parameters).to.have.length(1);
    expect(parameters[0]).to.include({ in: 'query', style: 'form', explode: true, description: 'text', isRequired: true });
    expect(notes).to.equal(undefined);
  });

  it('is one of each, although several are sent the same way', async () => {
    const { operations, skipped } = await readPaths({
      '/#Action=A': { get: {} },
      '/#Action=B': { get: {} },
      x: { get: {} },
      '/x': { get: {} },
    });
    expect(operations.map(({ path }) => path)).to.deep.equal(['/#Action=A', '/#Action=B', '/x']);
    expect(skipped.map(({ path, reason }) => `${path} ${reason}`)).to.deep.equal(['/x invalid']);
  });
});
