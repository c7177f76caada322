import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { schedule } from '../../plugins/schedule/index.ts';
import { installIn } from '../support/installed.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { echoTool, testKernel } from '../support/test-kernel.ts';
import { until } from '../support/until.ts';
import { start } from './program.ts';

const guide = await readFile('plugins/engine-local/README.md', 'utf8');

/** The snippets that name their file in their first line. */
const files = Object.fromEntries(
  [...guide.matchAll(/^```\w+\n(?:\/\/|#) (\S+)\n([\s\S]*?)^```$/gm)].map(([, file = '', code = '']) => [file, code]),
);

describe('the guide to durable calls', () => {
  it('has a program that submits a call, which a worker makes', async () => {
    expect(Object.keys(files)).to.deep.equal(['toolkit.config.yaml', 'submit.js']);
    const cwd = await temporaryFolder({ 'package.json': '{ "type": "module" }', ...files });
    await installIn(cwd);
    const host = start([], { cwd, program: path.join(cwd, 'submit.js') });
    expect((await host.exit).code, host.stderr()).to.equal(0);
    expect(host.stdout()).to.equal('order-1 is waiting\n');
    const worker = start(['worker'], { cwd });
    await worker.waitFor(/takes durable calls/);
    const shown = await until(async () => {
      const { exit, stdout } = start(['calls', 'show', 'order-1', '--json'], { cwd });
      await exit;
      const call = JSON.parse(stdout()) as { status: string; result: unknown };
      return call.status === 'completed' ? call : undefined;
    });
    expect(JSON.stringify(shown.result)).to.include('42');
  });

  it('has jobs that can be used', async () => {
    const [, snippet = ''] = /^```yaml\n( +- - toolkit\/plugins\/schedule\n[\s\S]*?)^```$/m.exec(guide) ?? [];
    const [[, options]] = parse(snippet) as [[string, Parameters<typeof schedule>[0]]];
    const tool = echoTool({ name: 'report_build', parameters: { days: { type: 'integer' } } });
    const kernel = await testKernel({ tools: [tool], plugins: [schedule(options)] });
    expect(kernel.tapsOf('serve').map(({ plugin }) => plugin)).to.deep.equal(['schedule']);
  });
});
