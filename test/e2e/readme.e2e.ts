import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { program, stdioClient, textOf } from './program.ts';
import {
  addSnippets,
  commandsGuide,
  projectOfSnippets,
  readme,
  setupCommands,
  setupGuide,
  snippetsIn,
  toolsGuide,
} from './readme-project.ts';

const run = promisify(execFile);
const tools = ['tools/count_lines.yaml', 'tools/weather_get_forecast.yaml', 'tools/text_reverse.yaml', 'tools/text_reverse.py'];
const firstTool = 'tools/count_words.yaml';

describe('the README', () => {
  it('has exactly three set-up commands, and package.json knows what they run', async () => {
    expect(setupCommands()).to.deep.equal([
      'npm install @toolkit/core && npx toolkit mcp setup',
      'npm ci && npm start',
      'npm ci && npm test',
    ]);
    const { name, bin, scripts } = JSON.parse(await readFile('package.json', 'utf8')) as Record<'bin' | 'scripts', object> & {
      name: string;
    };
    expect(name).to.equal('@toolkit/core');
    expect(bin).to.include.keys('toolkit');
    expect(scripts).to.include.keys('start', 'test');
  });

  it('is read in a few minutes: it has at most 110 lines of at most 400 characters', () => {
    const lines = readme.trimEnd().split('\n');
    expect(lines.length).to.be.at.most(110);
    expect(lines.filter((line) => line.length > 400)).to.deep.equal([]);
  });

  it('has a first tool whose call prints what is shown', async () => {
    const folder = await projectOfSnippets([firstTool]);
    const screen = snippetsIn(readme).find(({ language }) => language === 'console')?.text ?? '';
    const commands = [...screen.matchAll(/^\$ (.*)$/gm)].map(([, command = '']) => command);
    const env = { ...process.env, PATH: `${path.join(folder, 'node_modules/.bin')}${path.delimiter}${process.env['PATH'] ?? ''}` };
    const { stdout } = await run('sh', ['-ec', commands.join('\n')], { cwd: folder, env });
    expect(stdout.trim()).to.equal(screen.replace(/^\$ .*\n/gm, '').trim());
  });

  it('has a library example that runs', async () => {
    const folder = await projectOfSnippets([firstTool, 'words.ts']);
    const { stdout } = await run(process.execPath, ['--import', import.meta.resolve('tsx'), 'words.ts'], { cwd: folder });
    expect(stdout.trim()).to.equal('6');
  });

  it('has the same example in Python, which runs', async () => {
    const folder = await projectOfSnippets([firstTool, 'words.py']);
    const env = { ...process.env, PYTHONPATH: path.resolve('plugins/python-sdk/src'), PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = await run('python3', ['words.py'], { cwd: folder, env });
    expect(stdout.trim()).to.equal('6');
  });

  it('has a plugin that loads in toolkit.config.ts and does what is said', async () => {
    const folder = await projectOfSnippets([firstTool, 'toolkit.config.ts']);
    await addSnippets(folder, tools, toolsGuide);
    const { client } = await stdioClient([], { cwd: folder });
    expect((await client.callTool({ name: 'time_now', arguments: {} })).isError).to.equal(undefined);
    const refused = await client.callTool({ name: 'count_lines', arguments: { path: 'three.txt' } });
    expect(JSON.stringify(refused.content)).to.include('POLICY_DENIED').and.to.include('this server only reads');
  });
});

describe('the pages that the README leads to', () => {
  it('have tools that load without a problem and work', async () => {
    const { client, end } = await stdioClient(['--tool-paths', 'tools'], { cwd: await projectOfSnippets(tools, toolsGuide) });
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    expect(listed).to.include.members(['count_lines', 'weather_get_forecast', 'text_reverse']);
    expect(textOf(await client.callTool({ name: 'count_lines', arguments: { path: 'three.txt' } }))).to.match(/^\s*3 /);
    expect(textOf(await client.callTool({ name: 'text_reverse', arguments: { text: 'stressed' } }))).to.equal('desserts');
    const weather = await client.callTool({ name: 'weather_get_forecast', arguments: { city: 'Oslo' } });
    expect(JSON.stringify(weather.content)).to.include('Missing required parameter: WEATHER_API_KEY');
    const [warning, ...others] = (await end()).trim().split('\n');
    expect(warning).to.include('[WARN]').and.include('--approval elicit');
    expect(others.filter((line) => !line.includes('--expose auto'))).to.deep.equal([]);
  });

  it('have a configuration in YAML that loads and does what is said', async () => {
    const folder = await projectOfSnippets(['toolkit.config.yaml'], commandsGuide);
    await addSnippets(folder, tools, toolsGuide);
    const { client } = await stdioClient([], { cwd: folder });
    expect((await client.listTools()).tools.map(({ name }) => name)).to.deep.equal(['count_lines', 'text_reverse', 'toolkit_get_output']);
  });

  it('have client configurations with the command that starts the server', async () => {
    const configurations = snippetsIn(await readFile(setupGuide, 'utf8'))
      .filter(({ language }) => language === 'json')
      .map(({ text }) => JSON.parse(text) as { mcpServers: { toolkit: Record<string, unknown> } });
    const [stdio, http] = configurations.map(({ mcpServers }) => mcpServers.toolkit);
    expect(stdio).to.have.keys('command', 'args', 'env');
    expect(JSON.stringify(stdio)).to.include(path.relative('.', program));
    expect(http).to.have.keys('url', 'headers');
  });

  it('name every flag of toolkit mcp', async () => {
    const page = await readFile(commandsGuide, 'utf8');
    const { stdout } = await run(process.execPath, [program, 'mcp', '--help']);
    const flags = [...stdout.matchAll(/(--[a-z-]+)/g)]
      .map((match) => match[1] ?? '')
      .filter((flag) => flag !== '--help' && flag !== '--version');
    for (const flag of new Set(flags)) expect(page).to.include(`\`${flag}\``);
  });
});
