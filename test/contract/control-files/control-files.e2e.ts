import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { after, before } from 'mocha';
import { type Member, tarOf, zipOf } from './archives.ts';
import { controlFiles, hardName, openProject, type PathParameter, type Project, pathParametersOf } from './project.ts';

let project: Project;
let untouched: Readonly<Record<string, string>>;

before(async () => {
  project = await openProject(await realpath(await mkdtemp(path.join(tmpdir(), 'toolkit-control-'))));
  untouched = await project.state();
});

after(async () => {
  await project.toolkit.close();
  await rm(project.root, { recursive: true, force: true });
});

/** A call of a tool that comes to a control file by itself. */
interface Attack {
  readonly title: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** It is not refused, but works on the other files alone. @default false */
  readonly isPassedOver?: boolean;
}

const there = controlFiles.filter(({ text }) => text !== undefined);
const secrets = controlFiles.filter(({ text, isSecret }) => text !== undefined && isSecret === true);

/** Other ways to write the name of a file in a tree. */
const spellings: Readonly<Record<string, (file: string) => string>> = {
  'as it is': (file) => file,
  'in capitals': (file) => file.toUpperCase(),
  'in another Unicode form': (file) => file.normalize('NFD'),
};

/** All files, in all spellings that differ. */
function inSpellings(files: readonly string[], ways = spellings): { readonly title: string; readonly file: string }[] {
  return files.flatMap((file) =>
    Object.entries(ways)
      .map(([way, spell]) => ({ title: `${file}, ${way}`, file: spell(file) }))
      .filter((spelled, index) => index === 0 || spelled.file !== file),
  );
}

const asItIs = { 'as it is': (file: string) => file };
const memberWays = { ...spellings, 'with a dot before it': (file: string) => `./${file}` };

async function extractions(
  members: (file: string) => readonly Member[],
  pack: (members: readonly Member[]) => Buffer | Promise<Buffer>,
  { ways = memberWays, ...more }: Readonly<Record<string, unknown>> & { readonly ways?: typeof spellings } = {},
): Promise<Attack[]> {
  const folder = await project.folder({});
  const attacks = inSpellings(
    controlFiles.map(({ file }) => file),
    ways,
  ).map(async ({ title, file }, index) => {
    const archive = path.join(folder, `${index}.archive`);
    await writeFile(path.join(project.root, archive), await pack([{ name: 'good.txt' }, ...members(file)]));
    return { title, parameters: { path: archive, destination: '.', overwrite: true, ...more } };
  });
  return Promise.all(attacks);
}

async function extractionOf(members: readonly Member[], pack: (members: readonly Member[]) => Buffer | Promise<Buffer>): Promise<Attack> {
  const folder = await project.folder({});
  await writeFile(path.join(project.root, folder, 'archive'), await pack(members));
  return { title: JSON.stringify(members), parameters: { path: `${folder}/archive`, destination: '.', overwrite: true } };
}

/** A link in the place of a folder above a control file. */
const standIn: readonly Member[] = [{ name: 'some', kind: 'link', target: 'free' }];

const plainMember = (file: string): readonly Member[] => [{ name: file }];

/** Folders that hold control files, there or not. */
const parents = ['conf', 'later', 'logs', '.toolkit', 'api'];

const changeOf = (from: string, to: string, hunk: string): string => `--- ${from}\n+++ ${to}\n${hunk}`;
const gitChange = (verb: 'rename' | 'copy', from: string, to: string): string =>
  `diff --git a/${from} b/${to}\nsimilarity index 100%\n${verb} from ${from}\n${verb} to ${to}\n`;

/** Every tool that can write. Those that write only what a parameter names have no attacks here: the table below tries their parameters. */
const attacks: Readonly<Record<string, () => Promise<readonly Attack[]>>> = {
  fs_append_file: async () => [],
  fs_edit_file: async () => [],
  fs_make_directory: async () => [],
  fs_write_file: async () => [],
  web_download: async () => [],
  web_request: async () => [],
  toolkit_create_tool: async () => [],
  apiclient_run_collection: async () => [],
  fs_create_temp: async () => [
    { title: 'by its beginning', parameters: { prefix: '.env.' } },
    { title: 'in capitals', parameters: { prefix: '.ENV.' } },
  ],
  fs_copy: async () => {
    const into = inSpellings(controlFiles.map(({ file }) => file)).map(async ({ title, file }) => ({
      title: `to ${title}`,
      // What is git's stays behind, and the rest is copied.
      isPassedOver: /^\.git\//i.test(file),
      parameters: { source: await project.folder({ 'good.txt': '', [file]: 'x' }), destination: '.', recursive: true, overwrite: true },
    }));
    const held = await project.folder({ '.env': 'x' });
    const linked = await project.folder({ 'else/x': '' });
    await symlink('else', path.join(project.root, linked, 'some'));
    return [
      ...(await Promise.all(into)),
      { title: 'of a link in the place of a folder', parameters: { source: linked, destination: '.', recursive: true, overwrite: true } },
      { title: 'of secrets to a free place', parameters: { source: held, destination: 'free/copy', recursive: true } },
    ];
  },
  fs_move: async () => {
    const away = parents.map((folder) => ({ title: `of ${folder}`, parameters: { source: folder, destination: `free/moved-${folder}` } }));
    const box = await project.folder({ 'a/.git/config': '' });
    const tools = await project.folder({ 'tools/evil.yaml': 'x' });
    const linked = await project.folder({ 'else/x': '' });
    await symlink('else', path.join(project.root, linked, 'day'));
    const packages = await project.folder({ 'node_modules/evil.yaml': 'x' });
    return [
      ...away,
      { title: 'of a folder with a repository in it', parameters: { source: box, destination: 'free/moved-box' } },
      { title: 'of a link in the place of a folder', parameters: { source: linked, destination: 'some' } },
      { title: 'to the place above a folder of tools', parameters: { source: tools, destination: 'later', overwrite: true } },
      { title: 'of a folder with packages in it', parameters: { source: packages, destination: 'free/moved-packages' } },
    ];
  },
  fs_delete: async () => {
    const box = await project.folder({ 'a/.git/config': '', b: '' });
    const env = await project.folder({ '.ENV': '' });
    return [...parents, box, env].map((folder) => ({ title: `of ${folder}`, parameters: { path: folder, recursive: true } }));
  },
  fs_apply_patch: async () => {
    const patches = inSpellings(
      controlFiles.map(({ file }) => file),
      {
        ...memberWays,
        'through a link': (file) => `links/root/${file}`,
        'through a link to the folder': (file) => file.replace(/^conf\/wärk\//, 'links/tools/'),
      },
    ).map(({ title, file }) => ({ title: `creates ${title}`, patch: changeOf('/dev/null', `b/${file}`, '@@ -0,0 +1 @@\n+x\n') }));
    const others = there.flatMap(({ title, file }) => [
      { title: `changes ${title}`, patch: changeOf(`a/${file}`, `b/${file}`, '@@ -1 +1 @@\n-TOKEN=geraten\n+x\n') },
      { title: `deletes ${title}`, patch: changeOf(`a/${file}`, '/dev/null', '@@ -1 +0,0 @@\n-TOKEN=geheim\n') },
      { title: `renames to ${title}`, patch: gitChange('rename', 'sub/free.txt', file) },
      { title: `renames ${title}`, patch: gitChange('rename', file, 'sub/other.txt') },
      { title: `copies ${title}`, patch: gitChange('copy', file, 'sub/other.txt') },
    ]);
    return [...patches, ...others].map(({ title, patch }) => ({ title, parameters: { patch } }));
  },
  fs_replace_in_files: async () =>
    ['**/*', '{.git,.toolkit}/**', '{.env,policy.yaml}', 'conf/wärk/*'].map((glob) => ({
      title: glob,
      parameters: { pattern: 'geheim|rules|core|own|plugins', replacement: 'x', regex: true, glob, dry_run: false },
      isPassedOver: true,
    })),
  archive_zip_create: async () => packing(),
  archive_tar_create: async () => packing(),
  archive_zip_extract: async () => [...(await extractions(plainMember, zipOf)), await extractionOf(standIn, zipOf)],
  archive_tar_extract: async () => [
    ...(await extractions(plainMember, tarOf)),
    await extractionOf(standIn, tarOf),
    ...(await extractions((file) => [{ name: `top/${file}` }], tarOf, { strip: 1, ways: asItIs })),
    ...(await extractions((file) => [{ name: file, kind: 'hardlink', target: 'good.txt' }], tarOf, { ways: asItIs })),
    ...(await extractions((file) => [{ name: file, kind: 'folder' }], tarOf, { ways: asItIs })),
    ...(await extractions((file) => [{ name: file, kind: 'link', target: 'x' }], tarOf, { ways: asItIs })),
  ],
  apiclient_create_collection: async () => [
    { title: 'of its descriptor', parameters: { collection_name: 'Ask', collection_path: 'made' } },
  ],
  apiclient_add_request: async () => [
    {
      title: 'by the name of the request',
      parameters: { collection_path: 'api/pets', request_name: 'Evil', method: 'GET', url: 'https://pets.example' },
    },
  ],
  data_convert: async () => [
    {
      title: 'by a pattern of names',
      parameters: { files: [{ path: '.', pattern: '*', format: 'lines', table: 't' }], sql: 'SELECT file FROM t', to: 'free/names.csv' },
      isPassedOver: true,
    },
  ],
  sheet_write: async () => [],
  apiclient_import_openapi: async () => [
    { title: 'by the title of the document', parameters: { spec_source: 'api/spec.json', output_directory: 'api' } },
  ],
};

/** Other names for a file that there are in the project. */
const names: Readonly<Record<string, (file: string) => string | undefined>> = {
  ...spellings,
  'with a dot before it': (file) => `./${file}`,
  'over another folder': (file) => `sub/../${file}`,
  'as an absolute path': (file) => path.join(project.root, file),
  'through a link': (file) => `links/root/${file}`,
  'through a link to its folder': (file) => (file.startsWith('conf/wärk/') ? file.replace('conf/wärk', 'links/tools') : undefined),
  'by a hard link': (file) => (there.some((other) => other.file === file) ? `hard/${hardName(file)}` : undefined),
};

/** Returns the plugin that names a control file, and so must not be exempt. */
const namedBy = (file: string): string => (/^(conf\/wärk|later|some)\//.test(file) ? 'tool-files' : 'another');

/** The calls that put each control file, by each of its names, into a parameter. */
function callsWith(tool: string, parameter: PathParameter, given: Readonly<Record<string, unknown>>): Attack[] {
  const files = controlFiles.filter(
    ({ file, isSecret }) => (parameter.access === 'write' || isSecret) && !parameter.exempt.includes(namedBy(file)),
  );
  return files.flatMap(({ file, isExample }) =>
    Object.entries(names).flatMap(([way, spell]) => {
      const value = spell(file);
      if (value === undefined || (value === file && way !== 'as it is')) return [];
      // One tool takes all of them by all names.
      if (way !== 'as it is' && isExample !== true && tool !== 'fs_write_file') return [];
      const others = Object.entries(given).filter(([name]) => name !== parameter.insteadOf);
      const one = parameter.member === undefined ? value : { [parameter.member]: value };
      const parameters = { ...Object.fromEntries(others), [parameter.name]: parameter.isList ? [one] : one };
      return [{ title: `${file}, ${way}`, parameters }];
    }),
  );
}

async function packing(): Promise<Attack[]> {
  const folder = await project.folder({ 'sub/.ENV': 'x', good: '' });
  const places = [...secrets.map(({ file }) => path.dirname(file)), folder];
  return places.map((place) => ({ title: `of ${place}`, parameters: { paths: [place], destination: 'free/packed' } }));
}

describe('control files', () => {
  it('are kept from every tool that can write: each has its row', () => {
    const writing = project.toolkit
      .listTools()
      .filter(({ name, parameters }) => !name.startsWith('git_') && JSON.stringify(parameters).includes('"path":"write"'))
      .map(({ name }) => name);
    expect(writing).to.have.members(Object.keys(attacks));
  });

  it('are refused in every parameter that holds a path, by all their names', async () => {
    const passed: string[] = [];
    for (const { name, parameters, definition } of project.toolkit.listTools())
      for (const parameter of pathParametersOf(parameters))
        for (const { title, parameters: given } of callsWith(name, parameter, definition.examples?.[0]?.parameters ?? {})) {
          const end = await project.endOf(name, given);
          if (end !== 'refused') passed.push(`${name} ${parameter.name}: ${title}: ${end}`);
        }
    expect(passed).to.deep.equal([]);
    expect(await project.state()).to.deep.equal(untouched);
  });

  for (const [tool, make] of Object.entries(attacks))
    it(`are refused where ${tool} comes to them by itself`, async () => {
      const passed: string[] = [];
      for (const { title, parameters, isPassedOver } of await make()) {
        const end = await project.endOf(tool, parameters);
        if (isPassedOver === true ? !end.startsWith('done') : end !== 'refused') passed.push(`${title}: ${end}`);
      }
      expect(passed).to.deep.equal([]);
      expect(await project.state()).to.deep.equal(untouched);
    });
});
