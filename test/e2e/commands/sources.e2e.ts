import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { attackers } from '../../suites/attacks/kinds/sources/shelf-server.ts';
import { installIn } from '../../support/installed.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { httpClient, type Started, start, until } from '../program.ts';

const find = { name: 'find', description: 'Finds a thing.' };

const sources = { box: { document: 'box.json', watch: true }, dead: { document: 'nowhere.json' } };

const config = `plugins:
  - [toolkit/standard, { autoDiscover: false, includeCore: false }]
  - [./plugins/shelf/index.js, ${JSON.stringify({ sources })}]
`;

interface Answer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe('a source at the command line', () => {
  async function project() {
    const cwd = await temporaryFolder({
      ...attackers,
      'package.json': '{ "type": "module" }',
      'toolkit.config.yaml': config,
      'box.json': JSON.stringify({ tools: [find] }),
    });
    await installIn(cwd);
    const env = { XDG_STATE_HOME: await temporaryFolder() };
    const program = (...args: readonly string[]): Started => start(args, { cwd, env });
    const run = async (...args: readonly string[]): Promise<Answer> => {
      const { exit, stdout, stderr } = program(...args);
      const { code } = await exit;
      return { code, stdout: stdout(), stderr: stderr() };
    };
    return { cwd, program, run };
  }

  it('is named where a tool comes from, and doctor says its state', async () => {
    const { run } = await project();
    const [described, listed, doctor] = [await run('describe', 'box_find'), await run('list', '--json'), await run('doctor', '--json')];
    expect(described.stdout).to.match(/Defined in +source box, plugin shelf/);
    expect(JSON.parse(listed.stdout)).to.deep.include({
      name: 'box_find',
      provider: 'none',
      source: 'box',
      risk: 'low',
      requires_approval: false,
      description: 'Finds a thing.',
    });
    const { findings } = JSON.parse(doctor.stdout) as { findings: readonly { check: string; state: string; message: string }[] };
    const found = findings.filter(({ check }) => check === 'Source');
    expect(found.map(({ state }) => state)).to.deep.equal(['ok', 'problem']);
    expect(found[0]?.message).to.equal('box (plugin shelf) is ready: 1 tool');
    expect(found[1]?.message).to.include('dead (plugin shelf) is down: 0 tools; The source "dead" of plugin "shelf" could not be listed');
  });

  it('shows an operator what has changed in it and is withheld', async () => {
    const { cwd, program, run } = await project();
    const server = program('mcp', '--transport', 'http', '--port', '0', '--token', 'the-token');
    const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
    const client = await httpClient(url, 'the-token');
    const names = async (): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).to.include('box_find');
    await writeFile(
      path.join(cwd, 'new.json'),
      JSON.stringify({
        tools: [
          { ...find, description: 'Another one.' },
          { ...find, name: 'put' },
        ],
      }),
    );
    await rename(path.join(cwd, 'new.json'), path.join(cwd, 'box.json'));
    await until(async () => ((await names()).includes('box_find') ? undefined : true));
    const told = 'withheld until a person accepts it: the changed tool "box_find" (description), the new tool "box_put"';
    await until(() => (server.stderr().includes(told) ? true : undefined));
    const health = (await (await fetch(new URL('/health', url), { headers: { authorization: 'Bearer the-token' } })).json()) as object;
    expect(health).to.have.nested.property('state.sources.box.state', 'quarantined');
    const pending = await until(async () => {
      const { stdout } = await run('tools', 'pending', '--json');
      return stdout.includes('"changed"') ? stdout : undefined;
    });
    expect(JSON.parse(pending)).to.deep.equal([
      { change: 'changed', kind: 'tool', name: 'box_find', risk: 'low', source: 'box' },
      { change: 'new', kind: 'tool', name: 'box_put', risk: 'low', source: 'box' },
    ]);
    expect((await run('tools', 'pending')).stdout).to.match(/^changed +tool +box_find +low +source box$/m);
  });
});
