import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { start } from '../../e2e/program.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { serverFile } from '../upstreams/kernel-with.ts';

const tool = (name: string): string =>
  `name: ${name}\ndescription: The tool ${name}.\nparameters: {}\nexecution: { type: function, code: ./${name}.js }\nrisk: low\n`;
const handler = (name: string): string => `export default () => '${name}';\n`;
// In Turkish, I and i are letters of two pairs, and the order of letters is another one.
const names = ['i_list', 'info', 'zebra', 'ilk', 'a_b', 'ab', 'a10', 'a2'];

const files: Readonly<Record<string, string>> = {
  'toolkit.config.yaml': `plugins:
  - - toolkit/standard
    - { includeCore: false, autoDiscover: false, toolPaths: [./tools], skillPaths: [./skills] }
  - - toolkit/plugins/openapi
    - sources: { books: { document: ./library.json } }
  - - toolkit/plugins/upstreams
    - servers: { inn: { command: node, args: ['${serverFile('plain')}'] } }
`,
  'tools/package.json': '{"type":"module"}\n',
  ...Object.fromEntries(
    names.flatMap((name) => [
      [`tools/${name}.yaml`, tool(name)],
      [`tools/${name}.js`, handler(name)],
    ]),
  ),
  'skills/ici/SKILL.md': '---\nname: ici\ndescription: How to.\n---\nText.\n',
  'skills/ici/references/I.md': 'I\n',
  'skills/ici/references/i.txt': 'i\n',
};

async function checkout(folder: string, order: readonly string[], locale: string): Promise<Readonly<Record<string, string>>> {
  for (const name of order) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), files[name] ?? '');
  }
  await cp('fixtures/openapi/library.json', path.join(folder, 'library.json'));
  const state = await temporaryFolder();
  const env = { XDG_STATE_HOME: state, XDG_CACHE_HOME: state, LANG: locale, LC_ALL: locale, LANGUAGE: locale };
  for (const line of [['lock'], ['accept', '--yes']]) {
    const { exit, stderr } = start(line, { cwd: folder, env });
    expect((await exit).code === 1, stderr()).to.equal(false);
  }
  const { exit, stdout } = start(['lock', '--check'], { cwd: folder, env });
  expect((await exit).code, stdout()).to.equal(0);
  const entries = await readdir(path.join(folder, 'toolkit.lock.d'), { recursive: true, withFileTypes: true });
  const found = entries.filter((entry) => entry.isFile()).map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  return Object.fromEntries(
    await Promise.all(['toolkit.lock', ...found.toSorted()].map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')])),
  );
}

describe('toolkit.lock of the built program', () => {
  it('has equal bytes from two checkouts at other paths, in other locales, with files made in another order', async () => {
    const first = await checkout(await temporaryFolder(), Object.keys(files), 'C');
    const second = await checkout(path.join(await temporaryFolder(), 'Işık', 'an other I'), Object.keys(files).reverse(), 'tr_TR.UTF-8');
    expect(Object.keys(first)).to.include.members(['toolkit.lock', 'toolkit.lock.d/books.json', 'toolkit.lock.d/inn.upstream.json']);
    expect(second).to.deep.equal(first);
  });
});
