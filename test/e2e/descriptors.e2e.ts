import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';
import { afterEach } from '../support/after-each.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { program, until } from './program.ts';

const run = promisify(execFile);

/** Returns the arguments of a shell that starts the program with a limit of file descriptors. */
const limited = (most: number): readonly string[] => ['-c', `ulimit -n ${most}; exec "$0" "$@"`, process.execPath, '--', program];

const usedUp = 'The file descriptors of this process are used up (EMFILE): it cannot open another file, connection or program.';
const advice = 'Raise their number before the start (ulimit -n 4096; LimitNOFILE= of a service), or let less run at once.';

/** Leaves none, once all code is loaded. */
const hoardingPlugin = `
  import { openSync } from 'node:fs';
  const hoard = () => { try { for (;;) openSync(import.meta.filename); } catch {} };
  export default () => ({
    name: 'hoard', apiVersion: 1, options: {},
    apply: ({ hooks }) => hooks.discover.tap({ name: 'hoard', stage: -1000 }, hoard),
  });`;

let client: Client | undefined;
afterEach(() => client?.close());

describe('a process that may open no more files', () => {
  for (const args of [['list'], ['mcp'], ['run', 'text_count', '--text', 'x']]) {
    it(`is told at last what to do, and gets nothing in part, by "toolkit ${args.join(' ')}"`, async () => {
      const cwd = await temporaryFolder({
        'package.json': '{}',
        'toolkit.config.json': JSON.stringify({ plugins: ['./hoard.mjs', 'toolkit/standard'] }),
        'hoard.mjs': hoardingPlugin,
      });
      const { code, stdout, stderr } = await run('sh', [...limited(64), ...args], { cwd }).catch((error) => error);
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      expect(String(stderr).trimEnd().split('\n').at(-1)).to.equal(`toolkit: EXECUTION_FAILED: ${usedUp} ${advice}`);
    });
  }

  it('is shown help all the same, which opens few files', async () => {
    const cwd = await temporaryFolder({ 'package.json': '{}' });
    const { stdout, stderr } = await run('sh', [...limited(32), '--help'], { cwd });
    expect(stdout).to.include('Usage: toolkit');
    expect(stderr).to.equal('');
  });

  it('answers calls with what to do, and goes on once there are some again', async () => {
    const cwd = await temporaryFolder({
      'package.json': '{}',
      'note.txt': 'a note',
      'tools/hoard.yaml': JSON.stringify({
        name: 'hoard',
        description: 'd',
        parameters: { most: { type: 'integer', required: true } },
        execution: { type: 'function', code: './hoard.mjs#hoard' },
      }),
      'tools/echo.yaml': JSON.stringify({
        name: 'run_echo',
        description: 'd',
        execution: { type: 'command', command: 'echo', args: ['x'] },
      }),
      'tools/count.yaml': JSON.stringify({ name: 'py', description: 'd', execution: { type: 'function', code: './py.py' } }),
      'tools/py.py': 'def run(parameters, context):\n    return "of python"\n',
      'tools/hoard.mjs': `import fs from 'node:fs';
        const held = [];
        process.on('SIGUSR2', () => { for (const one of held.splice(0)) fs.closeSync(one); });
        export const hoard = ({ most }) => { for (; held.length < most;) held.push(fs.openSync(import.meta.filename)); return 'hoarded'; };`,
    });
    const asked = new Client({ name: 'e2e', version: '1.0.0' });
    const args = [...limited(400), 'mcp', '--tool-paths', 'tools'];
    client = asked;
    const transport = new StdioClientTransport({ command: 'sh', args, cwd, stderr: 'ignore' });
    await asked.connect(transport);
    const answer = async (name: string, parameters: Record<string, unknown> = {}): Promise<string> => {
      const { content } = (await asked.callTool({ name, arguments: parameters })) as { content: { text: string }[] };
      return content.map(({ text }) => text).join('');
    };
    const reading = ['fs_read_file', { path: path.join(cwd, 'note.txt') }] as const;
    // What both load is loaded.
    expect(await answer(...reading)).to.include(await readFile(path.join(cwd, 'note.txt'), 'utf8'));
    expect(await answer('run_echo')).to.include('x');
    expect(await answer('py')).to.include('of python');
    expect(await answer('hoard', { most: 0 })).to.include('hoarded');
    expect(await answer('hoard', { most: 1000 })).to.include(usedUp);
    expect(await answer(...reading))
      .to.include(usedUp)
      .and.include(advice);
    expect(await answer('run_echo')).to.include(usedUp);
    // A process is there, but whether its code is what was linked cannot be read.
    expect(await answer('py')).to.include(usedUp);
    process.kill(transport.pid ?? 0, 'SIGUSR2');
    await until(async () => ((await answer('py')).includes('of python') ? true : undefined));
    expect(await answer(...reading)).to.include('a note');
    expect(await answer('run_echo')).to.include('x');
  });
});
