import { expect } from 'chai';
import { executorCommand } from '../../../plugins/executor-command/index.ts';
import type { RunProgram } from '../../../plugins/shared/process/program.ts';
import { toolFiles } from '../../../plugins/tool-files/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';

describe('the option runProgram of executor-command', () => {
  it('runs the programs of tools, those of their modules as well, with arguments and environment as they are', async () => {
    const seen: unknown[] = [];
    const runProgram: RunProgram = async (program, args, { stdin, env, maxOutputBytes }) => {
      seen.push([program, args, stdin, env['GREETING'], maxOutputBytes]);
      const stdout = Buffer.from(`ran ${args.join(' ')}`);
      return { exitCode: 0, signal: undefined, stdout, stderr: Buffer.alloc(0), truncated: false, durationMs: 1 };
    };
    const definition = {
      name: 'run',
      description: 'Runs a program.',
      parameters: { word: { type: 'string', required: true } },
      execution: {
        type: 'command',
        command: 'no-such-program',
        args: ['{word}'],
        stdin: 'in',
        env: { GREETING: 'hi' },
        parse: './parse.mjs#parse',
      },
    };
    const folder = await temporaryFolder({
      'run.yaml': JSON.stringify(definition),
      'parse.mjs': "export const parse = async (stdout, { run }) => [stdout, (await run(['again'])).stdout];\n",
    });
    const kernel = await bareKernel({
      cwd: folder,
      plugins: [toolFiles({ toolPaths: ['.'] }), executorCommand({ runProgram, maxOutputBytes: 99 })],
    });
    expect(await kernel.execute('run', { word: 'a b' })).to.deep.equal(['ran a b', 'ran again']);
    expect(seen).to.deep.equal([
      ['no-such-program', ['a b'], 'in', 'hi', 99],
      ['no-such-program', ['again'], undefined, 'hi', 99],
    ]);
  });
});
