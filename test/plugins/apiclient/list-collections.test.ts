import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Progress } from '../../../kernel/index.ts';
import { asNobody } from '../../tools/core/fs/as-nobody.ts';
import { failure } from './failure.ts';
import { desk, pets, request } from './stand-in.ts';

describe('apiclient_list_collections', () => {
  it('finds collections at every depth, also inside of each other, with what they hold', async () => {
    const { call, root, starts } = await desk({
      files: {
        ...pets(),
        'pets/inner/apiclient.json': '{"name":"Größer 日本"}',
        'pets/inner/a.bru': request('A', { tags: ['b', 'a'] }),
        'no/such/x.bru': '',
      },
      collections: ['open'],
    });
    const { success, collections, errors } = await call('list_collections', { workspace_path: '.' });
    expect(success).to.equal(true);
    expect(collections).to.deep.equal([
      { name: 'Pets as YAML', path: path.join(root, 'open'), request_count: 3, environments: ['local'], tags: ['fast', 'smoke'] },
      { name: 'Pets', path: path.join(root, 'pets'), request_count: 4, environments: ['local'], tags: ['a', 'b', 'fast', 'slow', 'smoke'] },
      { name: 'Größer 日本', path: path.join(root, 'pets/inner'), request_count: 1, environments: [], tags: ['a', 'b'] },
    ]);
    expect(errors).to.have.length(1);
    expect(errors[0]).to.include(`${root}/open/broken.yml: cannot be read`);
    expect(await starts()).to.deep.equal([]);
  });

  const filters: { filter: string; names: readonly string[] }[] = [
    { filter: 'PET', names: ['Pets'] },
    { filter: 'größ', names: ['Größer'] },
    { filter: '', names: ['Größer', 'Pets'] },
    { filter: '.*', names: [] },
  ];
  for (const { filter, names } of filters) {
    it(`filters by "${filter}" as a part of the name`, async () => {
      const { call } = await desk({ files: { ...pets(), 'a/bruno.json': '{"name":"Größer"}' } });
      const answer = await call('list_collections', { workspace_path: '.', filter });
      expect(answer.collections.map(({ name }) => name)).to.deep.equal(names);
      expect(answer.success).to.equal(true);
    });
  }

  it('names what it cannot read, relative to the workspace', async () => {
    const { call, root } = await desk({ files: { ...pets(), 'pets/closed.bru': request('A'), 'shut/a/bruno.json': '{"name":"A"}' } });
    await chmod(root, 0o755);
    await chmod(path.join(root, 'shut'), 0);
    await chmod(path.join(root, 'pets/closed.bru'), 0);
    const answer = await asNobody(() => call('list_collections', { workspace_path: '.' }));
    await chmod(path.join(root, 'shut'), 0o755);
    expect(answer).to.deep.include({ unreadable: { count: 2, paths: ['pets/closed.bru', 'shut'] } });
  });

  it('finds none in an empty folder', async () => {
    const { call } = await desk();
    expect(await call('list_collections', { workspace_path: '.' })).to.deep.equal({ success: true, collections: [], errors: [] });
  });

  const failures: { title: string; place: string; words: readonly string[] }[] = [
    { title: 'a folder that is missing', place: 'gone', words: ['/gone" cannot be opened (ENOENT)', 'a folder to search'] },
    { title: 'a file', place: 'pets/bruno.json', words: ['bruno.json" is a file', 'a folder to search'] },
    { title: 'a folder outside of the roots', place: '/', words: ['"workspace_path"', 'expected a path inside'] },
  ];
  for (const { title, place, words } of failures) {
    it(`refuses ${title}`, async () => {
      const { call } = await desk({ files: pets() });
      failure(await call('list_collections', { workspace_path: place }), ...words);
    });
  }

  it('names a descriptor that is broken, and lists the rest', async () => {
    const { call, root } = await desk({ files: { ...pets(), 'bad/bruno.json': '{' } });
    const { collections, errors } = await call('list_collections', { workspace_path: '.' });
    expect(collections.map(({ name }) => name)).to.deep.equal(['Pets']);
    expect(errors).to.have.length(1);
    expect(errors[0]).to.include(`${root}/bad/bruno.json cannot be read`);
  });

  it('passes over node_modules, .git and links', async () => {
    const descriptor = '{"name":"Hidden"}';
    const { call, root } = await desk({
      files: { 'node_modules/a/bruno.json': descriptor, '.git/bruno.json': descriptor, 'a/x': '' },
    });
    const outside = await desk({ files: pets() });
    await symlink(path.join(outside.root, 'pets'), path.join(root, 'a/pets'));
    await symlink('..', path.join(root, 'a/up'));
    expect((await call('list_collections', { workspace_path: '.' })).collections).to.deep.equal([]);
  });

  it('does not search without end, and says where it stopped', async () => {
    const { call, root } = await desk({ files: pets() });
    const deep = path.join(root, ...Array.from({ length: 35 }, () => 'd'));
    await mkdir(deep, { recursive: true });
    await writeFile(path.join(deep, 'bruno.json'), '{"name":"Deep"}');
    const { collections, errors } = await call('list_collections', { workspace_path: '.' });
    expect(collections.map(({ name }) => name)).to.deep.equal(['Pets']);
    expect(errors).to.have.length(1);
    expect(errors[0]).to.include('lies 30 folders deep');
  });

  it('lists as many as the limit says, and tells that there are more', async () => {
    const files = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}/bruno.json`, '{}']));
    const { call } = await desk({ files, options: { limits: { maxFiles: 2 } } });
    const { collections, errors } = await call('list_collections', { workspace_path: '.' });
    expect(collections.map(({ name }) => name)).to.deep.equal(['a', 'b']);
    expect(errors).to.deep.equal(['The first 2 collections are listed, and no more. Search a folder below, or give a filter.']);
  });

  it('tells of each collection when it has been read', async () => {
    const { call } = await desk({ files: { ...pets(), 'a/bruno.json': '{}' } });
    const notes: Progress[] = [];
    await call('list_collections', { workspace_path: '.' }, { onProgress: (note) => void notes.push(note) });
    expect(notes).to.deep.equal([
      { progress: 1, message: 'a' },
      { progress: 2, message: 'Pets' },
    ]);
  });
});
