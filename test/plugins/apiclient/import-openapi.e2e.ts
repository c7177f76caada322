import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { apiVersion, definePlugin, type Progress } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { failure } from './failure.ts';
import { desk, specificationFile } from './stand-in.ts';
import { treeOf } from './tree.ts';

const given = { spec_source: 'pets.yaml', output_directory: 'out' };
const files = { 'pets.yaml': await readFile(specificationFile, 'utf8') };
const inBru = [
  'bruno.json',
  'collection.bru',
  'environments/',
  'environments/Environment 1.bru',
  'pets/',
  'pets/addPet.bru',
  'pets/folder.bru',
  'pets/getPet.bru',
  'pets/listPets.bru',
];

describe('apiclient_import_openapi', () => {
  it('makes a collection of the name of the document, with both descriptors', async () => {
    const { call, root } = await desk({ files, plan: { import: 'bru' } });
    const answer = await call('import_openapi', given);
    const place = path.join(root, 'out/Pet store');
    expect(answer).to.deep.equal({
      success: true,
      collection_path: place,
      collection_name: 'Pet store',
      requests_created: 3,
      message: `Imported 3 requests into ${place}. Their environments: see apiclient_get_collection_info.`,
      errors: [],
    });
    expect(await treeOf(path.join(root, 'out'))).to.deep.equal(
      ['Pet store/', ...['apiclient.json', ...inBru].map((name) => `Pet store/${name}`)].sort(),
    );
    const { collection } = await call('get_collection_info', { collection_path: place });
    expect(collection.requests.map(({ name, method, url }) => [name, method, url])).to.have.deep.members([
      ['listPets', 'GET', '{{baseUrl}}/pets'],
      ['addPet', 'POST', '{{baseUrl}}/pets'],
      ['getPet', 'GET', '{{baseUrl}}/pets/:petId'],
    ]);
  });

  for (const { title, named, starts } of [
    { title: 'the folder of the collection, before the runner starts', named: 'out/Pet store', starts: 0 },
    { title: 'one of its files', named: 'out/Pet store/pets/addPet.bru', starts: 1 },
  ])
    it(`refuses a document whose names lead to a control file: ${title}`, async () => {
      // Asked at each use: the root is not known before.
      const places: string[] = [];
      const naming = definePlugin({
        name: 'naming',
        apiVersion,
        apply: ({ extend }) => extend.controlFiles(() => places, { what: 'a test' }),
      });
      const { call, root, runs } = await desk({ files, plan: { import: 'bru' }, plugins: [naming()] });
      places.push(path.join(root, named));
      const { message } = await rejection(call('import_openapi', given), 'POLICY_DENIED');
      expect(message).to.match(/control files?\b.*named by naming/);
      expect((await runs()).length).to.equal(starts);
      expect(await treeOf(root)).to.deep.equal(['pets.yaml']);
    });

  it('hands the runner the document as a file, and its choices as flags', async () => {
    const { call, runs } = await desk({ files, plan: { import: 'opencollection' } });
    const choices = { collection_name: '-x "Ä"', group_by: 'path', collection_format: 'opencollection' };
    const answer = await call('import_openapi', { ...given, ...choices });
    expect([answer.errors, answer.requests_created]).to.deep.equal([[], 3]);
    const [run] = await runs();
    expect(run?.args.filter((arg) => !/^--(source|output)=/.test(arg))).to.deep.equal([
      'import',
      'openapi',
      '--collection-name=-x "Ä"',
      '--group-by=path',
      '--collection-format=opencollection',
    ]);
    expect(path.basename(answer.collection_path)).to.equal('x -Ä-');
  });

  const versions: { version: string; format: string; flags: readonly string[] }[] = [
    { version: '2.15.1', format: 'bru', flags: [] },
    { version: '3.5.3', format: 'bru', flags: ['--collection-format=bru'] },
    { version: '20.0.0', format: 'opencollection', flags: ['--collection-format=opencollection'] },
  ];
  for (const { version, format, flags } of versions) {
    it(`asks version ${version} for ${format} with ${flags.join(' ') || 'no flag'}`, async () => {
      const { call, runs } = await desk({ files, plan: { version, import: format as 'bru' } });
      await call('import_openapi', { ...given, collection_format: format });
      expect((await runs())[0]?.args.filter((arg) => arg.startsWith('--collection-format'))).to.deep.equal(flags);
    });
  }

  const old: { version: string; format: string; words: string }[] = [
    { version: '1.40.0', format: 'bru', words: 'importing needs 2.0.0' },
    { version: '2.15.1', format: 'opencollection', words: 'collection_format opencollection needs 3.0.0' },
  ];
  for (const { version, format, words } of old) {
    it(`does not ask version ${version} for ${format}`, async () => {
      const { call, root, runs } = await desk({ files, plan: { version } });
      failure(await call('import_openapi', { ...given, collection_format: format }), version, words);
      expect(await runs()).to.deep.equal([]);
      expect(await treeOf(root)).to.deep.equal(['pets.yaml']);
    });
  }

  const refusals: { title: string; parameters: Record<string, unknown>; words: readonly string[] }[] = [
    {
      title: 'a collection that exists',
      parameters: { collection_name: 'full' },
      words: ['/out/full exists and is not empty', 'left as it is'],
    },
    { title: 'a name with a path', parameters: { collection_name: '../up' }, words: ['"collection_name"', '"/"'] },
    { title: 'a name with a line end', parameters: { collection_name: 'a\nb' }, words: ['"collection_name"', '"\\n"'] },
    { title: 'a name of dots', parameters: { collection_name: '..' }, words: ['"collection_name"', 'only dots'] },
    { title: 'a name that no folder can have', parameters: { collection_name: '- .' }, words: ['cannot become the name of a folder'] },
    { title: 'an unknown format', parameters: { collection_format: 'postman' }, words: ['collection_format', 'opencollection', 'postman'] },
    { title: 'an unknown group', parameters: { group_by: 'method' }, words: ['group_by', 'tags', 'method'] },
    {
      title: 'an output folder that is a file',
      parameters: { output_directory: 'pets.yaml' },
      words: ['Nothing can be written in', '/pets.yaml'],
    },
    {
      title: 'an output folder outside of the roots',
      parameters: { output_directory: '../out' },
      words: ['"output_directory"', 'expected a path inside'],
    },
    {
      title: 'a document outside of the roots',
      parameters: { spec_source: '/etc/hostname' },
      words: ['"spec_source"', 'expected a path inside'],
    },
    { title: 'a document that is missing', parameters: { spec_source: 'gone.yaml' }, words: ['/gone.yaml cannot be opened (ENOENT)'] },
    { title: 'a document that is a folder', parameters: { spec_source: 'out' }, words: ['/out is no file'] },
  ];
  for (const { title, parameters, words } of refusals) {
    it(`refuses ${title}, and writes nothing`, async () => {
      const { call, root, runs } = await desk({ files: { ...files, 'out/full/x': '' }, plan: { import: 'bru' } });
      const before = await treeOf(root);
      failure(await call('import_openapi', { ...given, ...parameters }), ...words);
      expect(await runs()).to.deep.equal([]);
      expect(await treeOf(root)).to.deep.equal(before);
    });
  }

  const ends: { title: string; plan: Parameters<typeof desk>[0]; words: readonly string[] }[] = [
    {
      title: 'refuses the document',
      plan: { plan: { exitCode: 1, stderr: 'Error: no paths\n' } },
      words: ['could not import', 'exit code 1', 'Error: no paths'],
    },
    { title: 'makes nothing', plan: { plan: { stdout: 'done' } }, words: ['could not import', 'exit code 0', 'done'] },
    { title: 'is killed', plan: { plan: { signal: 'SIGKILL' } }, words: ['could not import', 'of a signal'] },
    { title: 'fails half-way', plan: { plan: { import: 'bru', exitCode: 255, stderr: 'ENOSPC' } }, words: ['exit code 255', 'ENOSPC'] },
  ];
  for (const { title, plan, words } of ends) {
    it(`leaves nothing, not even the folders that it made, when the runner ${title}`, async () => {
      const { call, root } = await desk({ files, ...plan });
      failure(await call('import_openapi', { ...given, output_directory: 'out/a/b' }), ...words);
      expect(await treeOf(root)).to.deep.equal(['pets.yaml']);
    });
  }

  it('writes the descriptors of the configuration', async () => {
    const { call, root } = await desk({ files, plan: { import: 'bru' }, options: { descriptors: ['api.json', 'bruno.json'] } });
    await call('import_openapi', given);
    const made = await treeOf(path.join(root, 'out/Pet store'));
    expect(made).to.include('api.json').and.to.include('bruno.json').and.not.to.include('apiclient.json');
  });

  it('tells what it is doing', async () => {
    const { call } = await desk({ files, plan: { import: 'bru' } });
    const notes: Progress[] = [];
    await call('import_openapi', given, { onProgress: (note) => void notes.push(note) });
    expect(notes.map(({ message }) => message)).to.deep.equal(['reading the specification', 'importing "Pet store"']);
  });
});
