import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { addCommand } from '../../../../../plugins/openapi/commands/add/command.ts';
import { inspectCommand } from '../../../../../plugins/openapi/commands/inspect/command.ts';
import { openapiPlugin } from '../../../../../plugins/shared/configuration/option-edit.ts';
import { writeOption } from '../../../../../plugins/shared/configuration/write-option.ts';
import { kernelWith, library, project, run } from '../../project.ts';

const source = { document: './library.json', overlay: './library.overlay.yaml' };

describe('toolkit openapi add', () => {
  it('writes configuration, overlay, lock and copy, with which the tools are there', async () => {
    const folder = await project();
    const { out, error } = await run(addCommand, folder, ['library.json']);
    expect(error).to.equal(undefined);
    expect((await readdir(folder)).sort()).to.deep.equal([
      'library.json',
      'library.overlay.yaml',
      'toolkit.config.yaml',
      'toolkit.lock',
      'toolkit.lock.d',
    ]);
    expect(await readFile(path.join(folder, 'toolkit.config.yaml'), 'utf8')).to.match(
      /document: \.\/library\.json\n +overlay: \.\/library\.overlay\.yaml\n$/,
    );
    expect(out)
      .to.match(/4 of 4 operations/)
      .and.include('LIBRARY_TOKEN')
      .and.include('list --provider library');
    const kernel = await kernelWith(folder, { library: source });
    expect(kernel.registry.tools.size).to.equal(4);
    expect(kernel.registry.problems).to.deep.equal([]);
  });

  it('keeps the other source when another command adds one at the same time', async () => {
    const folder = await project();
    const write = (name: string) =>
      writeOption(undefined, folder, { plugin: openapiPlugin, path: ['sources', name], value: { document: './library.json' } });
    await Promise.all(['one', 'two', 'three'].map(write));
    const config = parse(await readFile(path.join(folder, 'toolkit.config.yaml'), 'utf8'));
    expect(config.plugins[1][1].sources).to.have.all.keys('one', 'two', 'three');
    expect((await readdir(folder)).sort()).to.deep.equal(['library.json', 'toolkit.config.yaml']);
  });

  it('changes nothing the second time', async () => {
    const folder = await project();
    await run(addCommand, folder, ['library.json']);
    const before = await readFile(path.join(folder, 'toolkit.config.yaml'), 'utf8');
    const configFile = path.join(folder, 'toolkit.config.yaml');
    const { out, error } = await run(addCommand, folder, ['./library.json'], {}, { configFile, sources: { library: source } });
    expect(error).to.equal(undefined);
    expect(out).to.include('is there already, and nothing was changed');
    expect(await readFile(configFile, 'utf8')).to.equal(before);
  });

  it('refuses the name of another document', async () => {
    const folder = await project({ 'other.json': '{}' });
    const { error } = await run(addCommand, folder, ['other.json'], { name: 'library' }, { sources: { library: source } });
    expect(error?.message).to.match(/There is a source "library" already, for \.\/library\.json/);
  });

  it('writes nothing when no operation becomes a tool', async () => {
    const folder = await project({ 'empty.json': '{"openapi": "3.1.0", "info": {"title": "Empty", "version": "1"}, "paths": {}}' });
    const { error } = await run(addCommand, folder, ['empty.json']);
    expect(error?.message).to.match(/Nothing was written, because no operation of empty\.json becomes a tool/);
    expect((await readdir(folder)).sort()).to.deep.equal(['empty.json', 'library.json']);
  });

  it('says that a document has no operations', async () => {
    const folder = await project({ 'empty.json': '{"openapi":"3.0.0","paths":{}}' });
    const { error } = await run(addCommand, folder, ['empty.json']);
    expect(error?.message).to.include('becomes a tool: the document has no operations.');
  });

  it('prints the lines to add when the configuration has a form that it does not know', async () => {
    const text = "import { openapi } from '@toolkit/core';\nexport default make(openapi);\n";
    const folder = await project({ 'toolkit.config.ts': text });
    const configFile = path.join(folder, 'toolkit.config.ts');
    const { out, error } = await run(addCommand, folder, ['library.json'], {}, { configFile });
    expect(error).to.equal(undefined);
    expect(out).to.include("openapi({ sources: { library: { document: './library.json', overlay: './library.overlay.yaml' } } })");
    expect(await readFile(configFile, 'utf8')).to.equal(text);
    expect(await readdir(folder)).to.include('toolkit.lock');
  });

  it('writes into a configuration in TypeScript', async () => {
    const text = "import { defineConfig, standard } from '@toolkit/core';\nexport default defineConfig({ plugins: [standard()] });\n";
    const folder = await project({ 'toolkit.config.ts': text });
    const configFile = path.join(folder, 'toolkit.config.ts');
    expect((await run(addCommand, folder, ['library.json'], {}, { configFile })).error).to.equal(undefined);
    expect(await readFile(configFile, 'utf8')).to.include("openapi({ sources: { library: { document: './library.json'");
  });

  const servers: Readonly<Record<string, boolean>> = {
    'http://localhost:3000/v1': true,
    'http://shop.localhost': true,
    'http://10.0.0.5': true,
    'http://[::1]:80/': true,
    'http://shop': true,
    'https://shop.internal': true,
    'https://93.184.215.14': false,
    'https://library.example': false,
  };
  for (const [server, isPrivate] of Object.entries(servers))
    it(`${isPrivate ? 'says that the server must be named' : 'asks for no name of the server'}: ${server}`, async () => {
      const text = (await library()).replace('https://library.example/v1', server);
      const folder = await project({ 'shop.json': text });
      const { out } = await run(addCommand, folder, ['shop.json'], { name: 'shop' });
      expect(/server: /.test(out)).to.equal(isPrivate);
      expect(/--server/.test((await run(inspectCommand, folder, ['shop.json'])).out)).to.equal(isPrivate);
      const named = await run(addCommand, folder, ['shop.json'], { name: 'named', server });
      expect(named.out).to.not.include('server: ');
    });

  it('takes a private server that is named, and the gate', async () => {
    const folder = await project();
    await run(addCommand, folder, ['library.json'], { server: 'http://127.0.0.1:3000', gateWrites: true });
    const config = await readFile(path.join(folder, 'toolkit.config.yaml'), 'utf8');
    expect(config).to.include('server: http://127.0.0.1:3000').and.include('gate: writes');
    expect(await readFile(path.join(folder, 'toolkit.lock'), 'utf8')).to.include('- http://127.0.0.1:3000');
  });
});
