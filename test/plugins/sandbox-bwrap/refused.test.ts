import { access } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { checkSandbox } from '../../../plugins/sandbox-bwrap/check-sandbox.ts';
import { sandboxBwrap } from '../../../plugins/sandbox-bwrap/index.ts';
import { Toolkit } from '../../../plugins/toolkit/index.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const program = 'bwrap-that-is-not-there';

const definition = (execution: string): string =>
  `name: probe\ndescription: Makes a file.\nexecution: { type: ${execution}, network: true, writes: [git] }\n`;

describe('a sandbox that cannot be made', () => {
  const cases = [
    { title: 'a command tool', files: { 'tools/probe.yaml': definition('command, command: touch, args: [ran]') }, call: ['probe', {}] },
    {
      title: 'a Python function',
      files: {
        'tools/probe.yaml': definition('function, code: ./probe.py'),
        'tools/probe.py': 'def run(parameters, context):\n    open("ran", "w")\n    return 1\n',
      },
      call: ['probe', {}],
    },
    { title: 'system_execute', files: { 'a.txt': '' }, call: ['system_execute', { command: 'touch', arguments: ['ran'] }] },
  ] as const;
  for (const { title, files, call } of cases) {
    it(`refuses ${title}, and says how to get it`, async () => {
      const cwd = await temporaryFolder(files);
      const toolkit = await Toolkit.init({ cwd, toolPaths: ['tools'], autoDiscover: false, plugins: [sandboxBwrap({ program })] });
      try {
        const [tool, parameters] = call;
        const error = await rejection(toolkit.execute(tool, parameters), 'DEPENDENCY_MISSING');
        expect(error.message).to.include(process.platform === 'linux' ? 'apt-get install bubblewrap' : 'Linux');
        expect(
          await access(path.join(cwd, 'ran')).then(
            () => 'ran',
            () => 'not run',
          ),
        ).to.equal('not run');
      } finally {
        await toolkit.close();
      }
    });
  }

  it('is a problem for doctor where it is listed, and none where it is not', async () => {
    const cwd = await temporaryFolder();
    const toolkit = await Toolkit.init({ cwd, autoDiscover: false, plugins: [sandboxBwrap({ program })] });
    try {
      const listed = await checkSandbox({ program }, { isListed: true, env: process.env });
      expect(listed).to.include({ check: 'Sandbox', state: 'problem' });
      expect(listed.message).to.include('are refused');
      expect(await checkSandbox({}, { isListed: false, env: { PATH: '/nowhere' } })).to.deep.include({ check: 'Sandbox', state: 'ok' });
    } finally {
      await toolkit.close();
    }
  });
});
