import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { program, stdioClient, textOf } from './program.ts';
import { blocks, projectOfSnippets, readme } from './readme-project.ts';

const run = promisify(execFile);
const tools = ['tools/count_lines.yaml', 'tools/weather_get_forecast.yaml', 'tools/text_reverse.yaml', 'tools/text_reverse.py'];

describe('the README', function () {
  this.timeout(60_000);

  it('has exactly two set-up commands, and package.json knows what they run', async () => {
    const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text.trim());
    expect(commands).to.deep.equal(['npm ci && npm start', 'npm ci && npm test']);
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
    expect(scripts).to.include.keys('start', 'test');
  });

  it('is read in a few minutes: it has at most 210 lines', () => {
    expect(readme.trimEnd().split('\n').length).to.be.at.most(210);
  });

  it('has tools that load without a problem and work', async () => {
    const { client, end } = await stdioClient(['--tool-paths', 'tools'], { cwd: await projectOfSnippets(tools) });
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

  it('has a library example that runs', async () => {
    const folder = await projectOfSnippets([...tools, 'reverse.ts']);
    const { stdout } = await run(process.execPath, ['--import', import.meta.resolve('tsx'), 'reverse.ts'], { cwd: folder });
    expect(stdout).to.equal('desserts\n');
  });

  it('has the same example in Python, which runs', async () => {
    const folder = await projectOfSnippets([...tools, 'reverse.py']);
    const env = { ...process.env, PYTHONPATH: path.resolve('plugins/python-sdk/src'), PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = await run('python3', ['reverse.py'], { cwd: folder, env });
    expect(stdout).to.equal('desserts\n');
  });

  it('has a plugin that loads in toolkit.config.ts and does what is said', async () => {
    const { client } = await stdioClient([], { cwd: await projectOfSnippets([...tools, 'toolkit.config.ts']) });
    expect((await client.callTool({ name: 'time_now', arguments: {} })).isError).to.equal(undefined);
    const refused = await client.callTool({ name: 'count_lines', arguments: { path: 'three.txt' } });
    expect(JSON.stringify(refused.content)).to.include('POLICY_DENIED').and.to.include('this server only reads');
  });

  it('has a configuration in YAML that loads and does what is said', async () => {
    const { client } = await stdioClient([], { cwd: await projectOfSnippets([...tools, 'toolkit.config.yaml']) });
    expect((await client.listTools()).tools.map(({ name }) => name)).to.deep.equal(['count_lines', 'text_reverse', 'toolkit_get_output']);
  });

  it('has client configurations with the command that starts the server', async () => {
    const configurations = blocks
      .filter(({ language }) => language === 'json')
      .map(({ text }) => JSON.parse(text) as { mcpServers: { toolkit: Record<string, unknown> } });
    const [stdio, http] = configurations.map(({ mcpServers }) => mcpServers.toolkit);
    expect(stdio).to.have.keys('command', 'args', 'env');
    expect(JSON.stringify(stdio)).to.include(path.relative('.', program));
    expect(http).to.have.keys('url', 'headers');
  });

  it('leads to a page that names every flag of toolkit mcp', async () => {
    const page = await readFile('plugins/cli/README.md', 'utf8');
    const { stdout } = await run(process.execPath, [program, 'mcp', '--help']);
    const flags = [...stdout.matchAll(/(--[a-z-]+)/g)]
      .map((match) => match[1] ?? '')
      .filter((flag) => flag !== '--help' && flag !== '--version');
    for (const flag of new Set(flags)) expect(page).to.include(`\`${flag}\``);
  });
});
