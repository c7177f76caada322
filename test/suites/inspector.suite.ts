import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { before } from 'mocha';
import { program, start } from '../e2e/program.ts';
import { project } from '../e2e/project.ts';
import { withUpstream } from './clients/with-upstream.ts';

const run = promisify(execFile);
const packageName = '@modelcontextprotocol/inspector@2.12.0';

describe('the Inspector command line', () => {
  let inspector = '';

  // Starting npm takes as long as what it starts.
  before(async () => {
    const { stdout } = await run('npm', ['exec', '--yes', `--package=${packageName}`, '--call', 'command -v mcp-inspector']);
    inspector = stdout.trim();
  });

  async function inspect(args: readonly string[], cwd: string): Promise<unknown> {
    const { stdout } = await run(inspector, ['--cli', '-e', `TOOLKIT_CWD=${cwd}`, ...args], { maxBuffer: 64 * 1024 * 1024 });
    return JSON.parse(stdout.slice(stdout.indexOf('{')));
  }

  it('lists and calls tools over stdio', async () => {
    const cwd = await project();
    const server = [process.execPath, program, 'mcp'];
    const { tools } = (await inspect([...server, '--method', 'tools/list'], cwd)) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).to.include.members(['fs_read_file', 'git_log', 'github_create_issue']);
    const file = await inspect(
      [...server, '--method', 'tools/call', '--tool-name', 'fs_read_file', '--tool-arg', 'path=notes/héllo wörld.txt'],
      cwd,
    );
    expect(file).to.have.nested.property('structuredContent.content', 'Grüße\nzweite Zeile\n');
    const log = await inspect([...server, '--method', 'tools/call', '--tool-name', 'git_log', '--tool-arg', 'max_count=1'], cwd);
    expect(log).to.have.nested.property('structuredContent.commits[0].subject', 'Second: "quotes" & ünïcode');
  });

  it('calls a tool of another MCP server behind this one', async () => {
    const cwd = await project(withUpstream('legacy'));
    const call = (name: string) => inspect([process.execPath, program, 'mcp', '--method', 'tools/call', '--tool-name', name], cwd);
    expect(await call('shop_structured')).to.have.nested.property('structuredContent.temperature', 21.5);
    const failed = await call('shop_failing').catch((error: { readonly stdout: string; readonly stderr: string }) => error);
    expect(failed).to.have.property('stderr').that.includes('isError:true');
    expect(failed).to.have.property('stdout').that.includes('it broke');
  });

  it('finds no error in the schemas of tools/list', async () => {
    await inspect([process.execPath, program, 'mcp', '--method', 'tools/list', '--strict'], await project());
  });

  it('lists and calls tools over HTTP', async () => {
    const cwd = await project();
    const server = start(['mcp', '-t', 'http', '-p', '0', '--tool-paths', 'my-tools'], {
      cwd,
      env: { TOOLKIT_MCP_TOKEN: 'inspector-token' },
    });
    const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
    const common = [url, '--transport', 'http', '--header', 'Authorization: Bearer inspector-token'];
    const { tools } = (await inspect([...common, '--method', 'tools/list'], cwd)) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).to.include('count_words');
    const words = await inspect([...common, '--method', 'tools/call', '--tool-name', 'count_words', '--tool-arg', 'text=a b c'], cwd);
    expect(words).to.have.nested.property('structuredContent.words', 3);
  });
});
