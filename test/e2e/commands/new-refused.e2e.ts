import { execFile } from 'node:child_process';
import { readdir, readFile, rename, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { program } from '../program.ts';

const shop = 'provider: { name: shop }\nbase_url: https://shop.example\n';

/** Runs `toolkit new` without a terminal. Gives what is in the folder afterwards as well. */
async function make(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  return makeIn(await temporaryFolder(files), ...args);
}

async function makeIn(cwd: string, ...args: readonly string[]) {
  const { PATH = '' } = process.env;
  const result = await new Promise<{ code: number; stdout: string; stderr: string }>((resolve) =>
    execFile(process.execPath, [program, 'new', ...args], { cwd, env: { PATH } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    ),
  );
  return { ...result, cwd, files: (await readdir(cwd, { recursive: true })).sort() };
}

describe('toolkit new without a terminal', () => {
  const wrong: readonly { title: string; files?: Record<string, string>; args: string[]; code: number; says: string[] }[] = [
    { title: 'no name', args: ['tool'], code: 2, says: ['There is no name', 'such as', 'shop_get_order'] },
    { title: 'a name of another shape', args: ['tool', 'shopGetOrder'], code: 2, says: ['Write "shop_get_order"'] },
    { title: 'the name of a tool that is there', args: ['tool', 'math_evaluate'], code: 2, says: ['is the name of another tool'] },
    {
      title: 'a file that is there',
      files: { 'tools/shop_get_order.test.mjs': '// mine\n' },
      args: ['tool', 'shop_get_order'],
      code: 1,
      says: ['tools/shop_get_order.test.mjs is there already', 'Nothing was written'],
    },
    {
      title: 'a type that nobody knows',
      args: ['tool', 'shop_get_order', '-t', 'rust'],
      code: 2,
      says: ['function-js, function-ts', '"rust"'],
    },
    {
      title: 'a provider that is not there',
      files: { 'tools/shop/definition.yaml': shop },
      args: ['tool', 'shop_get_order', '--provider', 'shpo'],
      code: 2,
      says: ['There is no provider "shpo"', 'Did you mean "shop"', 'toolkit new provider'],
    },
    {
      title: 'a description of a word',
      args: ['tool', 'shop_get_order', '-d', 'Orders'],
      code: 2,
      says: ['"Orders" is too short', '20 characters'],
    },
    {
      title: 'a configuration that does not load',
      files: { 'toolkit.config.json': '{ "plugins": ["no-such-plugin"] }' },
      args: ['tool', 'shop_get_order'],
      code: 1,
      says: ['no-such-plugin'],
    },
    { title: 'a base URL that is none', args: ['provider', 'shop', '--base-url', 'shop'], code: 2, says: ['"shop" is not an address'] },
    {
      title: 'the name of a provider that is there',
      files: { 'tools/shop/definition.yaml': shop },
      args: ['provider', 'shop'],
      code: 2,
      says: ['is the name of another provider'],
    },
    {
      title: 'a folder of a plugin that is there',
      files: { 'plugins/toolkit-plugin-loud/index.js': '' },
      args: ['plugin', 'toolkit-plugin-loud'],
      code: 2,
      says: ['plugins/toolkit-plugin-loud is there already'],
    },
    {
      title: 'the name of a built-in plugin',
      args: ['plugin', 'limit-rate'],
      code: 2,
      says: ['is the name of a plugin that is loaded already'],
    },
  ];
  for (const { title, files = {}, args, code, says } of wrong) {
    it(`writes nothing, ends with ${code} and says what to do for ${title}`, async () => {
      const run = await make(files, ...args);
      expect(run.code, run.stderr).to.equal(code);
      for (const text of says) expect(run.stderr).to.include(text);
      expect(run.stdout).to.equal('');
      expect(run.files.filter((file) => /\.\w+$/.test(file))).to.deep.equal(Object.keys(files));
    });
  }
});

describe('toolkit new in a project with a configuration', () => {
  it('writes to the first of its toolPaths, and finds the tool there', async () => {
    const config =
      '{ "plugins": [["toolkit/standard", { "toolPaths": ["./more/our tools"], "autoDiscover": false, "includeCore": false }]] }';
    const run = await make({ 'toolkit.config.json': config }, 'tool', 'shop_get_order');
    expect(run.code, run.stderr).to.equal(0);
    expect(run.files).to.include('more/our tools/shop_get_order.yaml');
    expect(run.stdout).to.include("validate 'more/our tools/shop_get_order.yaml'").and.not.include('toolPaths');
    const test = await readFile(path.join(run.cwd, 'more/our tools/shop_get_order.test.mjs'), 'utf8');
    expect(test.split('\n')[0]).to.include("node --test 'more/our tools/shop_get_order.test.mjs'");
    // Nobody has installed toolkit in this project.
    expect(run.stdout).to.include('Let the tests import toolkit:\n    npm install --save-dev /');
    expect(run.stdout).to.include(`node -- ${program} dev`);
  });

  it('says the line to add where the configuration does not lead to the tool, and leaves the file alone', async () => {
    const config = "import { standard } from '@toolkit/core';\n\nexport default { plugins: [standard({ autoDiscover: false })] };\n";
    const run = await make({ 'toolkit.config.ts': config }, 'tool', 'shop_get_order', '--into', 'src/tools');
    expect(run.code, run.stderr).to.equal(0);
    expect(run.files).to.include('src/tools/shop_get_order.yaml').and.not.include('toolkit.config.yaml');
    expect(run.stdout).to.include(
      "Say in toolkit.config.ts where it is, beside the other options of toolkit/standard:\n    standard({ toolPaths: ['./src/tools'] }),\n",
    );
  });

  it('keeps away from a folder that holds the tools of a package', async () => {
    const files = {
      'package.json': '{ "workspaces": ["tools"] }',
      'toolkit.config.json': '{ "plugins": [["toolkit/standard", { "includeCore": false }]] }',
      'node_modules/@toolkit/acme/package.json': '{ "name": "@toolkit/acme" }',
      'node_modules/@toolkit/acme/acme_get_item.yaml':
        'name: acme_get_item\ndescription: Gets an item.\nexecution: { type: command, command: node }\n',
    };
    const cwd = await temporaryFolder(files);
    // As in a workspace.
    await rename(path.join(cwd, 'node_modules/@toolkit/acme'), path.join(cwd, 'tools'));
    await symlink('../../tools', path.join(cwd, 'node_modules/@toolkit/acme'));
    const run = await makeIn(cwd, 'tool', 'shop_get_order');
    expect(run.code, run.stderr).to.equal(0);
    expect(run.stdout).to.include('["toolkit/standard", { "toolPaths": ["./my-tools"] }]');
    expect(run.files).to.include('my-tools/shop_get_order.yaml');
  });
});
