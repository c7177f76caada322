import path from 'node:path';
import { expect } from 'chai';
import { daemonProgram, ended, familyProgram, isRunning, pidsIn } from '../plugins/executor-command/processes.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { start } from './program.ts';

const command = { name: 'killed_family', description: 'Starts a family.', execution: { type: 'command', command: process.execPath } };

const files = {
  'toolkit.config.yaml': 'plugins: [[toolkit/standard, { toolPaths: [tools] }]]\n',
  'family.mjs': familyProgram,
  'daemon.mjs': daemonProgram,
  'tools/family.yaml': JSON.stringify({ ...command, execution: { ...command.execution, args: ['family.mjs', 'stubborn'] } }),
  'tools/killed_python.yaml': JSON.stringify({
    name: 'killed_python',
    description: 'Never comes back.',
    execution: { type: 'function', code: './killed.py' },
  }),
  'tools/killed.py': [
    'import os',
    '',
    '',
    'def run(parameters, context):',
    '    child = os.fork()',
    '    if child:',
    '        with open("pids.part", "w") as file:',
    '            file.write(f"{os.getpid()} {child}")',
    '        os.rename("pids.part", "pids")',
    '    while True:',
    '        pass',
    '',
  ].join('\n'),
};

describe('what a killed program had started', () => {
  it('ends as well: a function that computes in a child process', async () => {
    const cwd = await temporaryFolder({
      'toolkit.config.yaml': 'plugins: [[toolkit/standard, { toolPaths: [tools] }]]\n',
      'tools/killed_child.yaml': JSON.stringify({
        name: 'killed_child',
        description: 'Never comes back.',
        execution: { type: 'function', code: './killed.mjs', worker: 'process' },
      }),
      'tools/killed.mjs': "export default (_, { logger }) => { logger.warn('computes', { process: process.pid }); for (;;); };\n",
    });
    const toolkit = start(['run', 'killed_child'], { cwd });
    const [, pid] = await toolkit.waitFor(/computes.*?(\d+)\D*\n/);
    expect(isRunning(Number(pid))).to.equal(true);
    toolkit.child.kill('SIGKILL');
    expect((await toolkit.exit).signal).to.equal('SIGKILL');
    await ended([Number(pid)]);
  });

  const cases = [
    { what: 'a command tool and its child, which ignore SIGTERM', tool: 'killed_family', parameters: {} },
    { what: 'a Python function that computes, and its fork', tool: 'killed_python', parameters: {} },
    // Nothing but the marks of Linux finds these.
    ...(process.platform === 'linux'
      ? [
          {
            what: 'daemons of system_execute',
            tool: 'system_execute',
            parameters: { command: process.execPath, arguments: ['daemon.mjs', 'goes on'] },
          },
        ]
      : []),
  ];
  for (const { what, tool, parameters } of cases) {
    it(`ends as well: ${what}`, async () => {
      const cwd = await temporaryFolder(files);
      const toolkit = start(['run', tool, '--params', JSON.stringify(parameters)], { cwd });
      const pids = await pidsIn(path.join(cwd, 'pids'));
      expect(pids.map(isRunning)).to.deep.equal([true, true]);
      toolkit.child.kill('SIGKILL');
      expect((await toolkit.exit).signal).to.equal('SIGKILL');
      await ended(pids);
    });
  }
});
