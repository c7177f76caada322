import { readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { before } from 'mocha';
import { errorCodes, hookNames, type Tool } from '../../kernel/index.ts';
import { referenceFolder, referencePages } from '../../plugins/toolkit/docs/reference-pages.ts';
import { loadShippedTools } from '../../plugins/toolkit/docs/shipped-tools.ts';
import { builtInCommands } from '../../plugins/toolkit/program/built-in-commands.ts';

const root = path.resolve('.');

describe('the reference', () => {
  let tools: readonly Tool[];
  let pages: Readonly<Record<string, string>>;
  before(async () => {
    tools = await loadShippedTools(root);
    pages = await referencePages(root, tools);
  });

  const names = ['tools.md', 'commands.md', 'definition-keys.md', 'options.md', 'hooks.md', 'errors.md', 'map.md', 'llms.txt'];
  for (const name of names)
    it(`is committed as the source says it: ${name}`, async () => {
      const committed = await readFile(path.join(root, referenceFolder, name), 'utf8').catch(() => '');
      expect(committed === pages[name], `${referenceFolder}/${name} is stale: run "npm run docs" and commit what it writes`).to.equal(true);
    });

  it('has no other files', async () => {
    // The picture of the README has a test of its own.
    expect(await readdir(referenceFolder)).to.have.members([...names, 'terminal.svg']);
  });

  it('names every tool, hook, error code and command', () => {
    const commands = builtInCommands().flatMap((plugin) => plugin.commands ?? []);
    const missing = [
      ...tools.filter(({ name }) => !pages['tools.md']?.includes(`| \`${name}\` |`)),
      ...hookNames.filter((name) => !pages['hooks.md']?.includes(`### \`${name}\`\n`)),
      ...Object.keys(errorCodes).filter((code) => !pages['errors.md']?.includes(`| \`${code}\` |`)),
      ...commands.filter(({ name }) => !pages['commands.md']?.includes(`## \`toolkit ${name}\`\n`)),
    ];
    expect(tools).to.have.lengthOf.greaterThan(200);
    expect(missing).to.deep.equal([]);
  });

  it('says of every key and option what it is, with the doc comments of the code', () => {
    for (const name of ['definition-keys.md', 'options.md']) expect(pages[name], name).to.match(/^\| `\w+` \| \w+.* \| [A-Z`].{20,} \|$/m);
    expect(pages['options.md']).to.include('| `toolPaths` | array of string | Directories with your own tools. |');
    expect(pages['definition-keys.md']).to.include('Only where `execution.type` is `http`.');
  });

  it('is the same on every machine', () => {
    const local = [root, process.execPath, process.version, os.homedir()].filter((place) => place.length > 1);
    // A path goes on after a slash or ends: /root is no part of paths/roots.ts.
    const has = (text: string, place: string): boolean =>
      text
        .split(place)
        .slice(1)
        .some((rest) => !/^[\w-]/.test(rest));
    const found = Object.entries(pages).filter(([, text]) => local.some((place) => has(text, place)));
    expect(found.map(([name]) => name)).to.deep.equal([]);
  });
});
