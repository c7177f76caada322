import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { failure } from './failure.ts';
import { desk } from './stand-in.ts';
import { treeOf } from './tree.ts';

describe('apiclient_create_collection', () => {
  it('makes a folder with both descriptors and the settings, and the folders above it', async () => {
    const { call, root } = await desk();
    const answer = await call('create_collection', { collection_name: 'Größere Tiere – 日本', collection_path: 'a/b/pets' });
    const place = path.join(root, 'a/b/pets');
    expect(answer).to.deep.equal({
      success: true,
      collection_path: place,
      message: `Created the collection "Größere Tiere – 日本" in ${place}. Add requests with apiclient_add_request.`,
      errors: [],
    });
    expect(await treeOf(root)).to.deep.equal([
      'a/',
      'a/b/',
      'a/b/pets/',
      'a/b/pets/apiclient.json',
      'a/b/pets/bruno.json',
      'a/b/pets/collection.bru',
    ]);
    const text = await readFile(path.join(place, 'apiclient.json'), 'utf8');
    expect(JSON.parse(text)).to.deep.equal({
      version: '1',
      name: 'Größere Tiere – 日本',
      type: 'collection',
      ignore: ['node_modules', '.git'],
    });
    expect(await readFile(path.join(place, 'bruno.json'), 'utf8')).to.equal(text);
    const info = await call('get_collection_info', { collection_path: 'a/b/pets' });
    expect(info.collection).to.deep.equal({
      name: 'Größere Tiere – 日本',
      path: place,
      format: 'bru',
      requests: [],
      environments: [],
      variables: [],
      authentication: { mode: 'none', fields: [] },
    });
  });

  it('fills an empty folder, even the root, and puts no other one in its place', async () => {
    const { call, root } = await desk();
    const { ino } = await stat(root);
    expect((await call('create_collection', { collection_name: 'Pets', collection_path: '.' })).success).to.equal(true);
    expect(await treeOf(root)).to.deep.equal(['apiclient.json', 'bruno.json', 'collection.bru']);
    expect((await stat(root)).ino).to.equal(ino);
  });

  it('writes the descriptors of the configuration beside the one of the runner', async () => {
    const { call, root } = await desk({ options: { descriptors: ['api.json', 'opencollection.yml'] } });
    await call('create_collection', { collection_name: 'Pets', collection_path: 'pets' });
    expect(await treeOf(path.join(root, 'pets'))).to.deep.equal(['api.json', 'bruno.json', 'collection.bru']);
  });

  const names: { name: string; words: string }[] = [
    { name: 'two\nlines', words: 'received one with "\\n"' },
    { name: 'a}', words: 'received one with "}"' },
    { name: '../up', words: 'received one with "/"' },
    { name: 'back\\slash', words: 'received one with "\\\\"' },
    { name: 'nul\0', words: 'received one with "\\u0000"' },
    { name: '   ', words: 'received only spaces' },
    { name: ' a', words: 'with a space at its end' },
    { name: '..', words: 'received only dots' },
  ];
  for (const { name, words } of names) {
    it(`refuses the name ${JSON.stringify(name)} and makes nothing`, async () => {
      const { call, root } = await desk();
      const answer = await call('create_collection', { collection_name: name, collection_path: 'a/pets' });
      failure(answer, '"collection_name" cannot be used', 'expected a name without control characters, braces and slashes', words);
      expect(await treeOf(root)).to.deep.equal([]);
    });
  }

  const places: { title: string; place: string; words: readonly string[] }[] = [
    { title: 'a collection that exists', place: 'full', words: ['/full exists and is not empty', 'left as it is', 'another path'] },
    { title: 'a file', place: 'full/bruno.json', words: ['/full/bruno.json is a file', 'expected a folder'] },
    { title: 'a folder below a file', place: 'full/bruno.json/x', words: ['/full/bruno.json cannot be made'] },
    { title: 'a path outside of the roots', place: '../x', words: ['"collection_path"', 'expected a path inside', '"../x"'] },
    { title: 'a name that is too long for a file', place: 'x'.repeat(300), words: ['ENAMETOOLONG'] },
  ];
  for (const { title, place, words } of places) {
    it(`refuses ${title} and changes nothing`, async () => {
      const { call, root } = await desk({ files: { 'full/bruno.json': '{}' } });
      failure(await call('create_collection', { collection_name: 'Pets', collection_path: place }), ...words);
      expect(await treeOf(root)).to.deep.equal(['full/', 'full/bruno.json']);
      expect(await readFile(path.join(root, 'full/bruno.json'), 'utf8')).to.equal('{}');
    });
  }

  it('needs no runner', async () => {
    const { call, starts } = await desk({ options: { command: 'no-such-runner' } });
    expect((await call('create_collection', { collection_name: 'Pets', collection_path: 'pets' })).success).to.equal(true);
    expect(await starts()).to.deep.equal([]);
  });
});
