import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/temporary.ts';
import { start } from './program.ts';
import { project } from './project.ts';

describe('the command line', () => {
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
      says: ['expected a whole number from 0 to 65535, received "high"'],
    },
    {
      title: 'a flag of HTTP over stdio',
      args: ['mcp', '--port', '3001', '--token', 'x'],
      code: 2,
      says: ['--port, --token are for HTTP, but the transport is stdio', 'Add --transport http'],
    },
    { title: 'a certificate without its key', args: ['mcp', '-t', 'http', '--cert', 'c.pem'], code: 2, says: ['Add --key <file>'] },
    { title: 'a key without its certificate', args: ['mcp', '-t', 'http', '--key', 'k.pem'], code: 2, says: ['Add --cert <file>'] },
    {
      title: 'two certificates',
      args: ['mcp', '-t', 'http', '--self-signed', '--cert', 'c.pem', '--key', 'k.pem'],
      code: 2,
      says: ['Keep one of the two ways'],
    },
    { title: 'HTTPS without a certificate', args: ['mcp', '-t', 'http', '--https'], code: 2, says: ['--https needs a certificate'] },
    {
      title: 'a file for a resolver that is not asked',
      args: ['mcp', '--env-file=x.env'],
      code: 2,
      says: ['--env-file belongs to the resolver "dotenv"', '--secrets env,dotenv'],
    },
    { title: 'a resolver that does not exist', args: ['mcp', '--secrets', 'env,dotnev'], code: 2, says: ['Did you mean "dotenv"?'] },
    {
      title: 'an approval mode that does not exist',
      args: ['mcp', '--approval', 'always'],
      code: 2,
      says: ['expected flag, elicit or strict, received "always"'],
    },
    { title: 'a policy file that is not there', args: ['mcp', '--policy', 'no.yaml'], code: 1, says: ['CONFIG_NOT_FOUND', 'no.yaml'] },
    { title: 'a flag without its value', args: ['mcp', '--port'], code: 2, says: ["'-p, --port <number>' argument missing"] },
    { title: 'a --cwd that is not a folder', args: ['--cwd', '/no/such/folder', 'list'], code: 1, says: ['--cwd names "/no/such/folder"'] },
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
      const run = start(args, { cwd: await temporaryFolder({ 'package.json': '{}' }), ...(env === undefined ? {} : { env }) });
      expect((await run.exit).code).to.equal(code);
      for (const text of says) expect(run.stderr()).to.include(text);
      expect(run.stderr()).to.not.match(/^ {4}at /m);
      expect(run.stdout()).to.equal('');
    });
  }

  const unknown: { args: string; says: string; hint: string }[] = [
    { args: 'mpc --help', says: `unknown command 'mpc'. Did you mean "mcp"?`, hint: '"toolkit --help" lists the commands.' },
    { args: '--help nosuch', says: "unknown command 'nosuch'", hint: '"toolkit --help" lists the commands.' },
    { args: 'help nosuch', says: "unknown command 'nosuch'", hint: '"toolkit --help" lists the commands.' },
    { args: 'mcp nosuch --help', says: "unknown command 'nosuch'", hint: '"toolkit mcp --help"' },
    { args: 'calls lst -h', says: `unknown command 'lst'. Did you mean "list"?`, hint: '"toolkit calls --help" lists its commands.' },
    { args: 'secrets nosuch --help', says: "unknown command 'nosuch'", hint: '"toolkit secrets --help" lists its commands.' },
    { args: 'help tools nosuch', says: "unknown command 'nosuch'", hint: '"toolkit tools --help" lists its commands.' },
  ];
  for (const { args, says, hint } of unknown)
    it(`shows no help on what does not exist: ${args}`, async () => {
      const run = start(args.split(' '), { cwd: await project() });
      expect((await run.exit).code).to.equal(2);
      expect(run.stderr()).to.include(says).and.to.include(hint);
      expect(run.stdout()).to.equal('');
    });

  for (const args of ['mcp setup --help', 'help mcp', 'help mcp setup', 'calls --help', 'mcp -p 3 --help', '--help mcp', 'help'])
    it(`shows help on what exists: ${args}`, async () => {
      const run = start(args.split(' '), { cwd: await project() });
      expect((await run.exit).code).to.equal(0);
      expect(run.stdout()).to.include('Usage: toolkit');
    });

  for (const args of [['--help'], ['mcp', '--help'], ['dev', '--help']])
    it(`says what Node does with --env-file: ${args.join(' ')}`, async () => {
      const run = start(args, { cwd: await project() });
      expect((await run.exit).code).to.equal(0);
      const words = run.stdout().replaceAll(/\s+/g, ' ');
      expect(words).to.include('--env-file').and.to.include('exit code 9').and.to.include('NODE_OPTIONS');
    });

  it('prints its version and its help', async () => {
    const cwd = await project();
    const version = start(['--version'], { cwd });
    expect((await version.exit).code).to.equal(0);
    expect(version.stdout()).to.equal('0.1.0\n');
    const help = start(['--help'], { cwd });
    expect((await help.exit).code).to.equal(0);
    expect(help.stdout()).to.include('mcp');
  });

  it('shows its help although the configuration is broken, and says what is wrong when it is needed', async () => {
    const cwd = await project({ 'toolkit.config.json': '{ "plugins": ["no-such-plugin-at-all"] }' });
    const help = start(['mcp', '--help'], { cwd });
    expect((await help.exit).code).to.equal(0);
    expect(help.stdout()).to.include('--transport');
    for (const args of [['list'], ['a-command-of-that-plugin']]) {
      const run = start(args, { cwd });
      expect((await run.exit).code).to.equal(1);
      expect(run.stderr()).to.include('no-such-plugin-at-all').and.to.include('npm install');
    }
  });

  it('takes a configuration that has changed since it was last read', async () => {
    const config = (core: boolean) => `import { defineConfig, standard } from '@toolkit/core';
      export default defineConfig({ plugins: [standard({ includeCore: ${core}, autoDiscover: false })] });`;
    const cwd = await project({ 'toolkit.config.ts': config(false) });
    const first = start(['list'], { cwd });
    expect((await first.exit).code).to.equal(0);
    await writeFile(path.join(cwd, 'toolkit.config.ts'), config(true));
    const second = start(['list'], { cwd });
    expect((await second.exit).code).to.equal(0);
    expect([first.stdout(), second.stdout().includes('fs_read_file')]).to.deep.equal(['0 tools\n', true]);
  });

  it('shows where an error was thrown only with --debug', async () => {
    const run = start(['--debug', 'list', '--provider', 'nobody'], { cwd: await project() });
    expect((await run.exit).code).to.equal(2);
    expect(run.stderr()).to.match(/^ {4}at /m);
  });

  it('prefers --cwd to TOOLKIT_CWD', async () => {
    const run = start(['mcp', '--cwd', await project({ 'toolkit.config.json': '{' })], {
      cwd: await temporaryFolder(),
      env: { TOOLKIT_CWD: '/no/such' },
    });
    expect((await run.exit).code).to.equal(1);
    expect(run.stderr()).to.include('toolkit.config.json');
  });

  it('starts in the folder that TOOLKIT_CWD names', async () => {
    const cwd = await project({ 'toolkit.config.json': '{ "plugins": ["no-such-plugin-at-all"] }' });
    const run = start(['mcp'], { cwd: await temporaryFolder(), env: { TOOLKIT_CWD: cwd } });
    expect((await run.exit).code).to.equal(1);
    expect(run.stderr()).to.include('no-such-plugin-at-all').and.to.include('npm install');
  });
});
