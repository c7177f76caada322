import path from 'node:path';
import { expect } from 'chai';
import { toolsEndpoints } from '../../../../plugins/console/endpoints/tools.ts';
import type { ToolRow } from '../../../../plugins/console/wire/tools.ts';
import { standard } from '../../../../plugins/toolkit/standard.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { bareKernel } from '../../../support/test-kernel.ts';

const definition = (name: string): string =>
  JSON.stringify({ name, description: 'Runs.', execution: { type: 'command', command: process.execPath } });

describe('the place of a tool in the console', () => {
  it('is relative in the project, absolute outside of it, and "toolkit" for one that comes with the program', async () => {
    const outside = await temporaryFolder({ 'far.yaml': definition('far') });
    const cwd = await temporaryFolder({ 'tools/near.yaml': definition('near') });
    const kernel = await bareKernel({
      cwd,
      plugins: [standard({ autoDiscover: false, toolPaths: ['tools', outside] })],
    });
    const [list] = toolsEndpoints;
    const request = { by: { way: 'console', name: 'ann' }, values: {}, query: new URLSearchParams(), body: undefined };
    const services = { kernel, logger: memoryLogger(), now: Date.now, checks: { cwd, env: {}, state: undefined } };
    const rows = (await list?.answer({ ...request, signal: new AbortController().signal }, services as never)) as readonly ToolRow[];
    const from = (name: string): string | undefined => rows.find((row) => row.name === name)?.from;
    expect([from('near'), from('far')]).to.deep.equal([path.join('tools', 'near.yaml'), path.join(outside, 'far.yaml')]);
    expect(from('math_evaluate')).to.equal('toolkit');
  });
});
