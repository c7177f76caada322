import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { start } from '../program.ts';
import { project } from '../project.ts';

const steering = 'A\u001b[2J\u009b2J\u202e\u0007';

const yamlText = JSON.stringify(`Does what it says ${steering}`).replaceAll('\u009b', '\\u009b').replaceAll('\u202e', '\\u202e');

const files = {
  'tools/bad_tool.yaml': `name: bad_tool
description: ${yamlText}
version: ${yamlText}
parameters: { ${yamlText}: { type: string, description: ${yamlText}, default: ${yamlText} } }
execution: { type: command, command: "true" }
risk: low
examples: [{ description: ${yamlText}, parameters: { ${yamlText}: ${yamlText} } }]
tags: [${yamlText}]
`,
  'toolkit.config.json': '{ "plugins": [["toolkit/standard", { "toolPaths": ["tools"], "autoDiscover": false, "includeCore": false }]] }',
};

/** Everything but line feeds that a terminal does not simply print. */
const steers = /(?!\n)[\p{Cc}\p{Cf}]/u;

describe('what others wrote', () => {
  const commands = [
    ['list'],
    ['list', '--json'],
    ['tokens', '--by', 'tool'],
    ['tokens', '--json'],
    ['search', 'says', '--json'],
    ['describe', 'bad_tool'],
    ['describe', 'bad_tool', '--json'],
    ['run', 'bad_tool', '--help'],
    ['doctor', '--json'],
  ];
  for (const command of commands) {
    it(`does not steer the terminal in toolkit ${command.join(' ')}`, async () => {
      const run = start(command, { cwd: await project(files) });
      await run.exit;
      expect(run.stdout()).to.include(command[0] === 'doctor' ? 'findings' : 'bad_tool');
      expect(run.stdout() + run.stderr()).not.to.match(steers);
    });
  }

  const words = [
    { title: 'the name of a command', args: [steering] },
    { title: 'the value of a flag', args: ['list', '--risk', steering] },
    { title: 'the name of a tool, with --debug', args: ['describe', steering, '--debug'] },
  ];
  for (const { title, args } of words) {
    it(`does not steer the terminal as ${title}`, async () => {
      const run = start(args, { cwd: await temporaryFolder() });
      expect((await run.exit).code).not.to.equal(0);
      expect(run.stderr()).to.include('A\\u001b[2J').and.not.match(steers);
    });
  }

  it('neither steers the terminal nor tells a secret where it is thrown after the call, and ends with 1', async () => {
    const code = `export async function run(_parameters, { secrets }) {
      setImmediate(() => { throw new Error('late ${JSON.stringify(steering).slice(1, -1)}' + secrets.A_TOKEN); });
      await new Promise((resolve) => setTimeout(resolve, 10_000));
    }`;
    const tool =
      'name: late_tool\ndescription: Throws late.\nsecrets: [A_TOKEN]\nexecution: { type: function, code: "./late.mjs#run" }\nrisk: low\n';
    const cwd = await project({ ...files, 'tools/late.mjs': code, 'tools/late_tool.yaml': tool });
    for (const flags of [[], ['--debug']]) {
      const run = start([...flags, 'run', 'late_tool'], { cwd, env: { A_TOKEN: 'sk-1234567890' } });
      expect((await run.exit).code).to.equal(1);
      expect(run.stderr())
        .to.include('threw an error that nothing caught: late A')
        .and.include('[secret A_TOKEN]')
        .and.not.include('sk-1234567890')
        .and.not.match(steers);
    }
  });

  it('does not steer the terminal as the home folder of two clients that cannot be written', async () => {
    const args = ['mcp', 'setup', '--client', 'cursor,windsurf', '--write', '--no-test'];
    const run = start(args, { cwd: await project(), env: { HOME: `/no/${steering}` } });
    expect((await run.exit).code).to.equal(1);
    expect(run.stderr()).to.include('.codeium').and.not.match(steers);
  });
});
