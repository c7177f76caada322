import { expect } from 'chai';
import { temporaryFolder } from '../support/temporary.ts';
import { start } from './program.ts';
import { project } from './project.ts';

describe('the command line', function () {
  this.timeout(60_000);

  const wrong: { title: string; args: string[]; env?: Record<string, string>; code: number; says: string[] }[] = [
    { title: 'an unknown command', args: ['mcpp'], code: 2, says: ["unknown command 'mcpp'", 'Did you mean mcp?'] },
    { title: 'an unknown flag', args: ['mcp', '--transprot', 'http'], code: 2, says: ["unknown option '--transprot'", '--transport'] },
    {
      title: 'a transport that does not exist',
      args: ['mcp', '-t', 'carrier-pigeon'],
      code: 2,
      says: ['expected stdio or http, received "carrier-pigeon"'],
    },
    {
      title: 'a port that is no number',
      args: ['mcp', '-p', 'high'],
      code: 2,
      says: ['expected a number from 0 to 65535, received "high"'],
    },
    {
      title: 'a tool in the allowlist that does not exist',
      args: ['mcp', '--tools', 'fs_raed_file'],
      code: 1,
      says: ['CONFIG_INVALID', '"fs_raed_file" in "tools" matches no tool', 'fs_read_file'],
    },
    {
      title: 'a configuration that is not there',
      args: ['mcp', '--config', 'nowhere.ts'],
      code: 1,
      says: ['CONFIG_NOT_FOUND', 'nowhere.ts'],
    },
    {
      title: 'a TOOLKIT_CWD that is not a folder',
      args: ['mcp'],
      env: { TOOLKIT_CWD: '/no/such/folder' },
      code: 1,
      says: ['TOOLKIT_CWD names "/no/such/folder"'],
    },
  ];
  for (const { title, args, env, code, says } of wrong) {
    it(`ends with ${code} and says what to do for ${title}`, async () => {
      const run = start(args, { cwd: await project(), ...(env === undefined ? {} : { env }) });
      expect((await run.exit).code).to.equal(code);
      for (const text of says) expect(run.stderr()).to.include(text);
      expect(run.stderr()).to.not.match(/^ {4}at /m);
      expect(run.stdout()).to.equal('');
    });
  }

  it('prints its version and its help', async () => {
    const cwd = await project();
    const version = start(['--version'], { cwd });
    expect((await version.exit).code).to.equal(0);
    expect(version.stdout()).to.equal('0.1.0\n');
    const help = start(['--help'], { cwd });
    expect((await help.exit).code).to.equal(0);
    expect(help.stdout()).to.include('mcp');
  });

  it('starts in the folder that TOOLKIT_CWD names', async () => {
    const cwd = await project({ 'toolkit.config.json': '{ "plugins": ["no-such-plugin-at-all"] }' });
    const run = start(['mcp'], { cwd: await temporaryFolder(), env: { TOOLKIT_CWD: cwd } });
    expect((await run.exit).code).to.equal(1);
    expect(run.stderr()).to.include('no-such-plugin-at-all').and.to.include('npm install');
  });
});
