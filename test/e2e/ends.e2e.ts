import path from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/temporary.ts';
import { terminal } from '../support/terminal.ts';
import { program, start } from './program.ts';

describe('what others wrote and the end of the program', () => {
  const inApply = (body: string): string =>
    `export default { plugins: [{ name: 'odd', apiVersion: 1, options: {}, withOptions() { return this; }, async apply() { ${body} } }] };`;
  const cases: { title: string; config: string; says: string[] }[] = [
    {
      title: 'a configuration that awaits what never comes',
      config: 'await new Promise(() => {}); export default { plugins: [] };',
      says: ['CONFIG_INVALID', 'toolkit.config.mjs', 'awaits a promise that never settles'],
    },
    {
      title: 'a configuration that ends the process as if all were well',
      config: 'process.exit(0); export default { plugins: [] };',
      says: ['CONFIG_INVALID', 'toolkit.config.mjs', 'ends the process (exit code 0)'],
    },
    {
      title: 'a configuration that throws what is no error',
      config: 'throw "a text";',
      says: ['CONFIG_INVALID', 'toolkit.config.mjs', 'it throws string "a text", not an error'],
    },
    {
      title: 'a configuration that leaves a rejected promise behind',
      config: 'Promise.reject(new Error("nobody looks.")); export default { plugins: [] };',
      says: ['PLUGIN_FAILED', 'threw an error that nothing caught: nobody looks.'],
    },
    { title: 'a plugin that awaits what never comes', config: inApply('await new Promise(() => {});'), says: ['PLUGIN_FAILED', 'awaits'] },
    { title: 'a plugin that ends the process', config: inApply('process.exit(7);'), says: ['PLUGIN_FAILED', '(exit code 7)'] },
  ];
  for (const { title, config, says } of cases) {
    it(`ends with 1 and one message, without a stack, for ${title}`, async () => {
      const run = start(['list'], { cwd: await temporaryFolder({ 'package.json': '{}', 'toolkit.config.mjs': config }) });
      expect((await run.exit).code).to.equal(1);
      for (const text of says) expect(run.stderr()).to.include(text);
      expect(run.stderr().trim().split('\n')).to.have.length(1);
      expect(run.stdout()).to.equal('');
    });
  }

  it('ends with 1 and says what to do where the working directory was removed', async () => {
    const folder = await temporaryFolder({ 'gone/none.mjs': '' });
    const gone = path.join(folder, 'gone');
    const leave = `require('node:fs').rmSync(${JSON.stringify(gone)}, { recursive: true });
      process.argv.splice(1, 1, ${JSON.stringify(program)}); import(${JSON.stringify(program)});`;
    const launcher = await temporaryFolder({ 'launch.cjs': leave });
    const run = start(['list'], { cwd: gone, program: path.join(launcher, 'launch.cjs') });
    expect((await run.exit).code).to.equal(1);
    expect(run.stderr()).to.match(/^toolkit: CONFIG_NOT_FOUND: The working directory was removed\. .*--cwd\.\n$/);
  });

  it('tells a person who starts the server of a client what it waits for, and goes when the input ends', async () => {
    const { shows, type, ended } = terminal(['mcp'], { cwd: await temporaryFolder({ 'package.json': '{}' }) });
    await shows('Waiting for an MCP client on standard input. "toolkit mcp setup" connects one');
    type('\x04');
    expect(await ended).to.equal(0);
  });
});
