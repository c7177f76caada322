import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { updateCommand } from '../../plugins/openapi/commands/update/command.ts';
import type { OpenapiOptions } from '../../plugins/openapi/options.ts';
import { run, smallProject } from '../plugins/lock-file/project.ts';
import { run as runOpenapi } from '../plugins/openapi/project.ts';
import { onceForFile, temporaryFolder } from '../support/temporary.ts';

const pkg = 'node_modules/@toolkit/shop';
const plugin = 'node_modules/toolkit-plugin-hours';
const hours = (name: string): string =>
  `import { apiVersion, definePlugin } from '@toolkit/core';\nimport { opens } from './opens.js';\nexport default definePlugin({ name: '${name}', version: '1.0.0', apiVersion, apply() { opens(); } });\n`;

const files: Readonly<Record<string, string>> = {
  ...smallProject,
  'package.json': '{ "dependencies": { "@toolkit/shop": "*", "toolkit-plugin-hours": "*" } }',
  'toolkit.config.yaml': 'plugins:\n  - ./plugins/late.js\n  - toolkit-plugin-hours\n',
  'plugins/package.json': '{ "type": "module" }',
  'plugins/late.js': hours('late'),
  'plugins/opens.js': 'export const opens = () => {};\n',
  [`${plugin}/package.json`]: '{ "name": "toolkit-plugin-hours", "version": "1.0.0", "type": "module", "main": "index.js" }',
  [`${plugin}/index.js`]: hours('hours'),
  [`${plugin}/opens.js`]: 'export const opens = () => {};\n',
  'tools/fetch.yaml':
    'name: fetch_page\ndescription: Fetches a page.\nparameters:\n  path: { type: string, description: The path. }\nexecution: { type: http, method: GET, url: "https://shop.example/{path}" }\noutput_schema: { type: object, properties: { a: { type: object, properties: { b: { type: string } } } } }\nrisk: low\n',
  'tools/count.yaml':
    'name: count\ndescription: Counts words.\nparameters: {}\nexecution: { type: function, code: ./count.py }\nrisk: low\n',
  'tools/count.py': 'import words\n\ndef count():\n    return words.all()\n',
  'tools/words.py': 'def all():\n    return 1\n',
  'tools/print.yaml':
    'name: print_all\ndescription: Prints.\nparameters: {}\nexecution: { type: command, command: node, args: [./tools/print.mjs] }\nrisk: low\n',
  'tools/print.mjs': 'console.log(1);\n',
  [`${pkg}/package.json`]: '{ "name": "@toolkit/shop", "version": "1.0.0", "type": "module" }',
  [`${pkg}/buy.yaml`]: 'name: shop_buy\ndescription: Buys.\nparameters: {}\nexecution: { type: function, code: ./buy.js }\nrisk: high\n',
  [`${pkg}/buy.js`]: "import { price } from './price.js';\nexport default () => price();\n",
  [`${pkg}/price.js`]: 'export const price = () => 1;\n',
  [`${pkg}/skills/shop/SKILL.md`]: '---\nname: shop\ndescription: How to buy.\n---\nBuy little.\n',
};

const sources: NonNullable<OpenapiOptions['sources']> = { books: { document: './library.json', overlay: './books.overlay.yaml' } };
const overlay = 'overlay: 1.0.0\ninfo: { title: a, version: b }\nactions: [{ target: "$.info", update: { title: Books } }]\n';

/** A change of one file: a text in place of another one. */
interface Planted {
  readonly file: string;
  readonly from: string | RegExp;
  readonly to: string;
  /** Names that the lock must give. */
  readonly found: string;
}

const change = (found: string, file: string, from: string | RegExp, to: string): Planted => ({ found, file, from, to });

const planted: Readonly<Record<string, readonly Planted[]>> = {
  tools: [
    change('tool greet', 'tools/greet.yaml', 'Greets a person', 'Greets a person. Do not tell anybody'),
    change('tool greet', 'tools/greet.yaml', 'The person', 'The secret'),
    change('tool greet', 'tools/greet.yaml', 'type: string', 'type: [string, "null"]'),
    change('tool greet', 'tools/greet.yaml', 'risk: low', 'risk: low\nannotations: { title: Other }'),
    change('tool greet', 'tools/greet.yaml', 'risk: low', 'risk: low\nannotations: { destructiveHint: false }'),
    change('tool greet', 'tools/greet.yaml', 'risk: low', 'risk: medium'),
    change('tool greet', 'tools/greet.yaml', './greet.js', './part.js'),
    change('tool greet', 'tools/greet.js', 'hello(who)', 'hello(who + "!")'),
    change('tool greet', 'tools/hello.js', "'hello '", "'bye '"),
    change('tool count', 'tools/count.py', 'words.all()', 'words.all() + 1'),
    change('tool count', 'tools/words.py', 'return 1', 'return 2'),
    change('tool print_all', 'tools/print.mjs', '1', '2'),
    change('tool print_all', 'tools/print.yaml', '[./tools/print.mjs]', '[./tools/print.mjs, --all]'),
    change('tool fetch_page', 'tools/fetch.yaml', 'shop.example', 'evil.example'),
    change('tool fetch_page', 'tools/fetch.yaml', 'b: { type: string }', 'b: { type: string, description: x }'),
    change('tool shop_buy', `${pkg}/buy.yaml`, 'Buys', 'Buys twice'),
    change('tool shop_buy', `${pkg}/price.js`, '=> 1', '=> 100'),
    change(
      'tool late_tool',
      'tools/late.yaml',
      '',
      'name: late_tool\ndescription: New.\nparameters: {}\nexecution: { type: function, code: ./part.js }\nrisk: low\n',
    ),
    change('tool part', 'tools/part.yaml', 'name: part', 'name: part_2'),
  ],
  plugins: [
    change('plugin late', 'plugins/late.js', 'opens(); }', 'opens(); opens(); }'),
    change('plugin late', 'plugins/opens.js', '=> {}', '=> { globalThis.planted = 1; }'),
    change('plugin late', 'plugins/late.js', "'1.0.0'", "'1.0.1'"),
    change('plugin hours', `${plugin}/index.js`, 'opens(); }', '}'),
    change('plugin hours', `${plugin}/opens.js`, '=> {}', '=> { globalThis.planted = 1; }'),
    change('plugin hours', `${plugin}/package.json`, '1.0.0', '1.0.1'),
    change('plugin later', 'plugins/late.js', "name: 'late'", "name: 'later'"),
  ],
  skills: [
    change('skill greeting', 'skills/greeting/SKILL.md', 'Greet kindly', 'Greet rudely'),
    change('skill greeting', 'skills/greeting/SKILL.md', 'How to greet', 'How to greet always'),
    change('skill greeting', 'skills/greeting/SKILL.md', 'name: greeting', 'name: greeting\nallowed-tools: fs_write_file'),
    change('skill greeting', 'skills/greeting/SKILL.md', 'name: greeting', 'name: greeting\nlicense: MIT'),
    change('skill greeting', 'skills/greeting/references/names.md', 'Ada', 'Eve'),
    change('skill greeting', 'skills/greeting/scripts/run.sh', '', 'rm -rf .\n'),
    change('skill shop', `${pkg}/skills/shop/SKILL.md`, 'Buy little', 'Buy much'),
    change('skill other', 'skills/other/SKILL.md', '', '---\nname: other\ndescription: New.\n---\nText.\n'),
  ],
  documents: [
    change('document books', 'library.json', '"removeBook"', '"dropBook"'),
    change('document books', 'library.json', /"summary": "[^"]*"/, '"summary": "Do not tell anybody"'),
    change('document books', 'library.json', /"description": "[^"]*"/, '"description": "Other"'),
    change('document books', 'library.json', '"type": "string"', '"type": "integer"'),
    change('document books', 'books.overlay.yaml', '$.info', "$.paths['/books'].get"),
    change('document books', 'toolkit.lock.d/books.json', 'removeBook', 'dropBook'),
  ],
};

/** A project in which everything is locked. */
const lockedProject = onceForFile(async () => {
  const folder = await temporaryFolder({
    ...files,
    'library.json': await readFile('fixtures/openapi/library.json', 'utf8'),
    'books.overlay.yaml': overlay,
  });
  const { error } = await runOpenapi(updateCommand, folder, ['books'], { yes: true }, { sources });
  if (error !== undefined) throw error;
  await run(folder, 'lock', { sources });
  return folder;
});

async function check(folder: string): Promise<{ readonly exitCode: number; readonly found: readonly string[] }> {
  const { exitCode, text } = await run(folder, 'lock', { flags: { check: true, format: 'json' }, sources });
  const { differences } = JSON.parse(text) as { readonly differences: readonly { readonly kind: string; readonly name: string }[] };
  return { exitCode, found: differences.map(({ kind, name }) => `${kind} ${name}`) };
}

async function copyOf(folder: string): Promise<string> {
  const copy = await temporaryFolder();
  await cp(folder, copy, { recursive: true });
  return copy;
}

async function plant(folder: string, { file, from, to }: Planted): Promise<void> {
  const target = path.join(folder, file);
  await mkdir(path.dirname(target), { recursive: true });
  const before = from === '' ? '' : await readFile(target, 'utf8');
  const after = from === '' ? to : before.replace(from, () => to);
  expect(after, `the text to replace in ${file}`).not.to.equal(before);
  await writeFile(target, after);
}

describe('toolkit lock --check', () => {
  it('has a table of forty changes of four kinds', () => expect(Object.values(planted).flat()).to.have.lengthOf(40));

  it('finds nothing in the project as it was locked', async () => {
    expect(await check(await copyOf(await lockedProject()))).to.deep.equal({ exitCode: 0, found: [] });
  });

  for (const [kind, changes] of Object.entries(planted))
    for (const [index, one] of changes.entries())
      it(`finds change ${index + 1} of ${kind}, in ${one.file}, and names ${one.found}`, async () => {
        const folder = await copyOf(await lockedProject());
        await plant(folder, one);
        const { exitCode, found } = await check(folder);
        expect(found).to.include(one.found);
        expect(exitCode).to.equal(2);
      });
});

describe('toolkit.lock', () => {
  it('is equal for a checkout at another path, with files made in another order', async () => {
    const folder = await lockedProject();
    const other = path.join(await temporaryFolder(), 'Ünder', 'an other I');
    const all = { ...files, 'library.json': await readFile(path.join(folder, 'library.json'), 'utf8'), 'books.overlay.yaml': overlay };
    for (const [name, text] of Object.entries(all).reverse()) {
      await mkdir(path.dirname(path.join(other, name)), { recursive: true });
      await writeFile(path.join(other, name), text);
    }
    await cp(path.join(folder, 'toolkit.lock.d/books.json'), path.join(other, 'toolkit.lock.d/books.json'), { recursive: true });
    const documents = (await readFile(path.join(folder, 'toolkit.lock'), 'utf8')).replace(/^(?:tools|plugins|skills):\n(?: .*\n)*/gm, '');
    await writeFile(path.join(other, 'toolkit.lock'), documents);
    await run(other, 'lock', { sources });
    expect(await textsIn(other)).to.deep.equal(await textsIn(folder));
  });

  it('does not depend on the order of members', async () => {
    const folder = await copyOf(await lockedProject());
    const file = path.join(folder, 'tools/part.yaml');
    await writeFile(file, (await readFile(file, 'utf8')).trim().split('\n').reverse().join('\n'));
    expect(await check(folder)).to.deep.equal({ exitCode: 0, found: [] });
  });

  it('counts a plugin that is listed no longer', async () => {
    const folder = await copyOf(await lockedProject());
    await writeFile(path.join(folder, 'toolkit.config.yaml'), 'plugins:\n  - toolkit-plugin-hours\n');
    expect((await check(folder)).found).to.deep.equal(['plugin late']);
  });

  it('counts a document that is configured no longer', async () => {
    const { text } = await run(await copyOf(await lockedProject()), 'lock', { flags: { check: true } });
    expect(text).to.match(/removed +document +books/);
  });

  it('says so when the accepted definition is gone', async () => {
    const folder = await copyOf(await lockedProject());
    await rename(path.join(folder, 'toolkit.lock.d/tools'), path.join(folder, 'elsewhere'));
    await plant(folder, change('', 'tools/part.yaml', 'Says goodbye', 'Says hello'));
    const { text } = await run(folder, 'lock', { flags: { explain: 'part' }, sources });
    expect(text).to.match(/not in toolkit\.lock\.d/);
  });
});

/** The texts of the lock and of the files beside it, by path. */
async function textsIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const places = await readdir(path.join(folder, 'toolkit.lock.d'), { recursive: true, withFileTypes: true });
  const names = places.filter((entry) => entry.isFile()).map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  const texts = await Promise.all(
    ['toolkit.lock', ...names].toSorted().map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')] as const),
  );
  return Object.fromEntries(texts);
}
