import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { type CommandToolOptions, commandKernel } from './command-kernel.ts';

/** Prints arguments, one variable, the folder and standard input as JSON. */
const show = `
let stdin = '';
for await (const chunk of process.stdin) stdin += chunk;
process.stdout.write(JSON.stringify({ args: process.argv.slice(2), mark: process.env.MARK, cwd: process.cwd(), stdin }));
process.exitCode = Number(process.env.CODE ?? 0);
`;

async function run(prepare: string, execution: Readonly<Record<string, unknown>> = {}, more: Partial<CommandToolOptions> = {}) {
  const { kernel, folder } = await commandKernel({
    execution: { args: ['show.mjs', 'written'], env: { MARK: 'a' }, stdin: 'in', parse: 'json', prepare: './prepare.mjs', ...execution },
    parameters: { text: { type: 'string' } },
    files: { 'show.mjs': show, 'sub/show.mjs': show, 'prepare.mjs': prepare },
    ...more,
  });
  return { kernel, folder };
}

describe('the preparation of a command', () => {
  it('may change arguments, environment, folder and standard input, from what is written and from the parameters', async () => {
    const { kernel, folder } = await run(`
      export default ({ args, env, cwd, stdin }, { parameters }) => ({
        args: [...args, parameters.text], env: { ...env, MARK: env.MARK + 'b' }, cwd: cwd + '/sub', stdin: stdin + '!',
      });`);
    expect(await kernel.execute('run', { text: 'x' })).to.deep.equal({
      args: ['written', 'x'],
      mark: 'ab',
      cwd: path.join(folder, 'sub'),
      stdin: 'in!',
    });
  });

  it('leaves as it is what it does not give', async () => {
    const { kernel, folder } = await run('export default () => ({});');
    expect(await kernel.execute('run')).to.deep.equal({ args: ['written'], mark: 'a', cwd: folder, stdin: 'in' });
  });

  it('may run the program first, as it is written, and the parser again, as it was prepared', async () => {
    const { kernel } = await run(
      `export default async (_, { run }) => {
        const { stdout, stderr, exitCode } = await run(['show.mjs', 'first'], { stdin: 'mine' });
        const { args, mark, stdin } = JSON.parse(stdout);
        return { env: { ...process.env, MARK: [args, mark, stdin, stderr, exitCode].join() } };
      };
      export const parse = async (stdout, { run }) => [JSON.parse(stdout).mark, JSON.parse((await run(['show.mjs'])).stdout).mark];`,
      { parse: './prepare.mjs#parse' },
    );
    expect(await kernel.execute('run')).to.deep.equal(['first,a,mine,,0', 'first,a,mine,,0']);
  });

  const counting = `import { appendFileSync } from 'node:fs';
    appendFileSync('starts', 'x');
    process.stdout.write(JSON.stringify(process.argv.slice(2)));
    process.exitCode = Number(process.argv[3] ?? 0);`;
  const own: { name: string; ran: string; output?: unknown; starts: number }[] = [
    { name: 'is the run of the program where it gives one', ran: "await run(['count.mjs', 'own'])", output: ['own'], starts: 1 },
    { name: 'is none when its exit code is none of those of success', ran: "await run(['count.mjs', 'own', '3'])", starts: 1 },
    {
      name: 'is the last one that it gives',
      ran: "(await run(['count.mjs']), await run(['count.mjs', 'last']))",
      output: ['last'],
      starts: 2,
    },
    { name: 'is none that it made up', ran: "({ stdout: '\"made up\"', stderr: '', exitCode: 0 })", output: ['written'], starts: 1 },
    { name: 'is none that it copied', ran: "({ ...(await run(['count.mjs', 'own'])) })", output: ['written'], starts: 2 },
  ];
  for (const { name, ran, output, starts } of own)
    it(`has a run of its own, which ${name}`, async () => {
      const { kernel, folder } = await run(
        '',
        { args: ['count.mjs', 'written'] },
        {
          files: { 'count.mjs': counting, 'prepare.mjs': `export default async (_, { run }) => ({ ran: ${ran} });` },
        },
      );
      if (output === undefined) await rejection(kernel.execute('run'), 'EXECUTION_FAILED');
      else expect(await kernel.execute('run')).to.deep.equal(output);
      expect(await readFile(path.join(folder, 'starts'), 'utf8')).to.have.length(starts);
    });

  it('tells the parser the arguments', async () => {
    const { kernel } = await run(
      `export default async () => ({ args: ['show.mjs', 'prepared'] });
       export const parse = (_, { args }) => args;`,
      { parse: './prepare.mjs#parse' },
    );
    expect(await kernel.execute('run')).to.deep.equal(['show.mjs', 'prepared']);
  });

  it('sees the exit code of its own runs, whatever it is', async () => {
    const { kernel } = await run(
      `export default async (_, { run }) => ({ args: ['show.mjs', String((await run(['-e', 'process.exit(3)'])).exitCode)] });`,
    );
    expect(await kernel.execute('run')).to.deep.include({ args: ['3'] });
  });

  it('that throws ends the call before the program runs', async () => {
    const { kernel } = await run(`export default () => { throw new Error('no repository here'); };`);
    const { message } = await rejection(kernel.execute('run'), 'EXECUTION_FAILED');
    expect(message).to.equal('The preparation "./prepare.mjs" of "run" failed: no repository here. The program did not run.');
  });

  it('may not write more than the program may', async () => {
    const { kernel } = await run(
      `export default async (_, { run }) => { await run(['-e', 'console.log("x".repeat(5000))']); return {}; };`,
      {},
      {
        maxOutputBytes: 1000,
      },
    );
    await rejection(kernel.execute('run'), 'OUTPUT_TOO_LARGE');
  });

  it('is refused when the module is not there', async () => {
    const { kernel } = await run('', { prepare: './nowhere.mjs' });
    const [problem] = kernel.registry.problems;
    expect(problem).to.include({ path: 'execution.prepare' });
    expect(problem?.message).to.include('expected a module that exists, received "./nowhere.mjs"');
  });
});
