import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { expect } from 'chai';
import { parse } from 'yaml';
import type { Plugin } from '../../../kernel/index.ts';
import { pluginChecks } from '../../../plugins/toolkit/testing.ts';
import { installIn } from '../../support/installed.ts';
import { json, loopback } from '../../support/loopback.ts';
import { program, stdioClient } from '../program.ts';

const run = promisify(execFile);
const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };

/** Runs `toolkit` with these words and returns its standard output. Rejects with all output unless it exits with 0. */
const toolkit = async (cwd: string, ...args: readonly string[]): Promise<string> =>
  (await run(process.execPath, [program, ...args], { cwd, env })).stdout;

const filesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  return files.filter((file) => !file.startsWith('node_modules')).sort();
};

/** One project in which everything that there is to write is written. */
describe('toolkit new, from the first file to a call', () => {
  let cwd: string;
  const said: Record<string, string> = {};

  const written = {
    text_count_words: ['tool', 'text_count_words'],
    text_time_words: ['tool', 'text_time_words', '--type', 'function-ts'],
    text_weigh_words: ['tool', 'text_weigh_words', '--type', 'function-python'],
    weather_get_current: [
      'tool',
      'weather_get_current',
      '--type',
      'http',
      '--description',
      'Says "which version":\n  of the weather is # the newest.',
    ],
    js_check_file: ['tool', 'js_check_file', '--type', 'command'],
    'my-shop': ['provider', 'my-shop', '--base-url', 'https://shop.example/api/'],
    my_shop_get_more: ['tool', 'my_shop_get_more', '--provider', 'my-shop'],
    'her-shop': ['provider', 'her-shop', '--oauth2', '--description', 'Her shop, which sells tea pots.'],
    'slow-calls': ['plugin', 'slow-calls'],
  } as const;

  before(async () => {
    cwd = await realpath(await mkdtemp(path.join(os.tmpdir(), 'toolkit-test-')));
    await installIn(cwd);
    // One after the other: each sees what the ones before have written.
    for (const [name, words] of Object.entries(written)) said[name] = await toolkit(cwd, 'new', ...words);
  });

  after(() => rm(cwd, { recursive: true, force: true }));

  it('writes what it says, and nothing else', async () => {
    const files = Object.values(said).flatMap((text) => [...text.matchAll(/^ {2}(\S+) {2,}\S/gm)].map((match) => match[1]));
    expect(await filesIn(cwd)).to.deep.equal(files.sort());
    expect(files).to.include('toolkit.config.yaml');
  });

  it('writes definitions of which validate says nothing', async () => {
    expect(await toolkit(cwd, 'validate', '--max-warnings', '0', 'tools')).to.equal(
      '8 tools, 2 providers, 2 skills: 0 errors, 0 warnings\n',
    );
  });

  it('writes cassettes from which toolkit test passes, without a service', async () => {
    expect(await toolkit(cwd, 'test', '--strict')).to.match(/\n8 tools: 8 passed\n$/);
  });

  it('writes the schema for editors into the first line, by a path that leads to it', async () => {
    const kinds: Record<string, string> = { 'definition.yaml': 'provider', 'toolkit.config.yaml': 'config' };
    const files = (await filesIn(cwd)).filter((file) => file.endsWith('.yaml'));
    expect(files).to.have.length(11);
    for (const file of files) {
      const text = await readFile(path.join(cwd, file), 'utf8');
      const place = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text)?.[1] ?? '';
      expect(place, file).to.match(new RegExp(`^\\.{1,2}/.*/${kinds[path.basename(file)] ?? 'tool'}\\.schema\\.json$`));
      const schema = JSON.parse(await readFile(path.resolve(cwd, path.dirname(file), place), 'utf8'));
      const { valid, errorMessage } = new AjvJsonSchemaValidator().getValidator(schema)(parse(text));
      expect(valid, `${file}: ${errorMessage}`).to.equal(true);
    }
  });

  it('writes tests that pass', async () => {
    const tests = (await filesIn(cwd)).filter((file) => file.endsWith('.test.mjs'));
    expect(tests).to.have.length(Object.keys(written).length);
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', ...tests], { cwd, env });
    // Of the plugin, each check of the contract is a test.
    const { length } = pluginChecks(() => ({}) as Plugin, {}, { module: 'file:///plugin.js' });
    expect(stdout)
      .to.match(new RegExp(`^# pass ${28 + length}$`, 'm'))
      .and.to.match(/^# fail 0$/m);
  });

  it('prints command lines that do what stands above them', async () => {
    const lines = Object.values(said).flatMap((text) =>
      [...text.matchAll(/^ {4}npx --no-install toolkit (validate .+)$/gm)].map((match) => match[1]),
    );
    expect(lines).to.have.length(8);
    // As a shell takes it; npm needs no network for it.
    const { stdout } = await run('sh', ['-c', `npx --no-install toolkit ${lines[0]}`], { cwd, env });
    expect(stdout).to.equal('1 tool, 0 providers, 0 skills: 0 errors, 0 warnings\n');
    const provider = await run('sh', ['-c', `npx --no-install toolkit ${lines[5]}`], { cwd, env });
    expect(provider.stdout).to.equal('2 tools, 1 provider, 1 skill: 0 errors, 0 warnings\n');
    expect(said['text_count_words']).to.include('npx --no-install toolkit run text_count_words --text "The quick brown fox');
    expect(said['my-shop']).to.include('npx --no-install toolkit run my_shop_get_item --item_id 1042').and.to.include('MY_SHOP_API_KEY');
    for (const text of Object.values(said)) expect(text).to.include(`Next, in ${cwd}:`).and.not.include('npm install');
    for (const [name, text] of Object.entries(said)) expect(text.includes('mcp setup'), name).to.equal(name !== 'slow-calls');
    expect(said['slow-calls']).to.include('\n    - [./plugins/toolkit-plugin-slow-calls/index.js, { slowMs: 500 }]\n');
  });

  it('writes tools that a client can call, once they ask a service that is there', async () => {
    const weather = { current: { time: '2026-05-01T12:15', temperature_2m: 17.4 } };
    const { url, requests } = await loopback((request, response) =>
      json(response, request.url.startsWith('/items') ? { id: '1042', title: 'Tea pot' } : weather),
    );
    const edit = async (file: string, from: string): Promise<void> => {
      const text = await readFile(path.join(cwd, file), 'utf8');
      expect(text).to.include(from);
      await writeFile(path.join(cwd, file), text.replace(from, url));
    };
    await edit('tools/weather_get_current.yaml', 'https://api.open-meteo.com');
    await edit('tools/my-shop/definition.yaml', 'https://shop.example/api');
    await edit('tools/her-shop/definition.yaml', 'https://api.example.com/v1');
    // The plugin as well, by the line that was printed for it.
    const line = /^ {4}(- \[\.\/plugins.*)$/m.exec(said['slow-calls'] ?? '')?.[1] ?? '';
    await writeFile(
      path.join(cwd, 'toolkit.config.yaml'),
      `${await readFile(path.join(cwd, 'toolkit.config.yaml'), 'utf8')}  ${line.replace('500', '0')}\n`,
    );
    const { client, end } = await stdioClient([], { cwd, env: { MY_SHOP_API_KEY: 'tea', TOOLKIT_HER_SHOP_ACCESS_TOKEN: 'pot' } });
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'weather_get_current')?.description).to.equal(
      'Says "which version": of the weather is # the newest.',
    );
    const call = async (name: string, parameters: Readonly<Record<string, unknown>>): Promise<unknown> =>
      (await client.callTool({ name, arguments: parameters })).structuredContent;
    for (const name of ['text_count_words', 'text_time_words', 'text_weigh_words'])
      expect(await call(name, { text: 'One two three', pace: 60 }), name).to.deep.equal({ words: 3, seconds: 3 });
    expect(await call('js_check_file', { path: 'tools/js_check_file.mjs' })).to.deep.equal({ is_valid: true });
    expect(await call('weather_get_current', { latitude: 52.52, longitude: 13.41 })).to.deep.equal(weather);
    for (const name of ['my_shop_get_item', 'my_shop_get_more', 'her_shop_get_item'])
      expect(await call(name, { item_id: '1042' }), name).to.deep.equal({ id: '1042', title: 'Tea pot' });
    expect(requests.map(({ headers }) => headers.authorization)).to.deep.equal([undefined, 'Bearer tea', 'Bearer tea', 'Bearer pot']);
    expect(await end()).to.match(/slow call .*text_count_words/);
  });
});
