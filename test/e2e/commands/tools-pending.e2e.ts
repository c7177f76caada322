import { chmod, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { type Started, start, until } from '../program.ts';

const tool = (name: string, more = ''): string =>
  `name: ${name}\ndescription: Says ${name}.\nrisk: low\nexecution: { type: command, command: echo, args: [${name}] }\n${more}`;

interface Project {
  readonly cwd: string;
  /** The record, once a server has written it. */
  record(): Promise<string>;
  program(...args: readonly string[]): Started;
  pending(...flags: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }>;
}

async function project(): Promise<Project> {
  const state = await temporaryFolder();
  const cwd = await temporaryFolder({ 'tools/one.yaml': tool('one'), 'tools/two.yaml': tool('two'), 'more/three.yaml': tool('three') });
  await writeFile(path.join(cwd, 'toolkit.config.yaml'), 'plugins:\n  - [toolkit/standard, { toolPaths: [tools], autoDiscover: false }]\n');
  const program: Project['program'] = (...args) => start(args, { cwd, env: { XDG_STATE_HOME: state } });
  const folder = path.join(state, 'toolkit/active');
  return {
    cwd,
    program,
    record: () =>
      until(async () => {
        const names = await readdir(folder).catch((): string[] => []);
        return names.filter((name) => name.endsWith('.json')).map((name) => path.join(folder, name))[0];
      }),
    pending: async (...flags) => {
      const { exit, stdout, stderr } = program('tools', 'pending', ...flags);
      const { code } = await exit;
      return { code, stdout: stdout(), stderr: stderr() };
    },
  };
}

describe('toolkit tools pending', () => {
  it('shows what is new, changed and removed since a server has loaded its tools', async () => {
    const { cwd, program, record, pending } = await project();
    const server = program('mcp', '--transport', 'http', '--port', '0');
    await server.waitFor(/MCP server: /);
    const file = await record();
    expect([(await stat(file)).mode & 0o777, (await stat(path.dirname(file))).mode & 0o777]).to.deep.equal([0o600, 0o700]);
    const nothing = await pending();
    expect(nothing).to.include({ code: 0, stdout: 'Nothing is new or different.\n' });
    expect(nothing.stderr).to.include(`the server with process ${server.child.pid}`);
    await writeFile(path.join(cwd, 'tools/one.yaml'), tool('one', 'tags: [other]\n'));
    await rm(path.join(cwd, 'tools/two.yaml'));
    await writeFile(path.join(cwd, 'tools/evil.yaml'), tool('evil_run'));
    const { stdout } = await pending('--json');
    expect(JSON.parse(stdout)).to.deep.equal([
      { change: 'new', kind: 'tool', name: 'evil_run', risk: 'low', file: path.join(cwd, 'tools/evil.yaml') },
      { change: 'changed', kind: 'tool', name: 'one', risk: 'low', file: path.join(cwd, 'tools/one.yaml') },
      { change: 'removed', kind: 'tool', name: 'two' },
    ]);
    server.child.kill('SIGTERM');
    await server.exit;
    const after = await pending();
    expect(after.stdout).to.match(/^new +tool +evil_run +low /m);
    expect(after.stderr).to.include('which has ended');
  });

  it('looks where the flags of the server said', async () => {
    const { program, record, pending } = await project();
    await program('mcp', '--transport', 'http', '--port', '0', '--tool-paths', 'more').waitFor(/MCP server: /);
    await record();
    expect((await pending()).stdout).to.equal('Nothing is new or different.\n');
  });

  it('says so when no server has left a record', async () => {
    const { pending, cwd } = await project();
    const { code, stdout, stderr } = await pending();
    expect([code, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.include('There is no record').and.include(`no server of ${cwd} has left one`);
  });

  for (const [what, spoil, says] of [
    ['others may read', (file: string) => chmod(file, 0o644), 'this account alone may use'],
    ['is something else', (file: string) => writeFile(file, '{}'), 'is not such a record'],
    ['is no JSON', (file: string) => writeFile(file, '{'), 'cannot be read'],
  ] as const) {
    it(`does not believe a record that ${what}`, async () => {
      const { program, record, pending } = await project();
      const server = program('mcp', '--transport', 'http', '--port', '0');
      await server.waitFor(/MCP server: /);
      await spoil(await record());
      const { code, stderr } = await pending();
      expect(code).to.equal(1);
      expect(stderr).to.include(says);
    });
  }
});
