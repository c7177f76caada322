import { expect } from 'chai';
import type { Plugin } from '../../../kernel/index.ts';
import { executorCommand } from '../../../plugins/executor-command/index.ts';
import { telemetry } from '../../../plugins/telemetry/index.ts';
import { toolFiles } from '../../../plugins/tool-files/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const own = '00-11111111111111111111111111111111-2222222222222222-00';

/** Returns the variables of traces that a program of a traced call has. */
async function variablesOf(plugins: readonly Plugin[], env: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const print = 'process.stdout.write(JSON.stringify(Object.entries(process.env).filter(([name]) => /^trace|^baggage/i.test(name))))';
  const execution = { type: 'command', command: process.execPath, args: ['-e', print], env, parse: 'json' };
  const cwd = await temporaryFolder({ 'run.yaml': JSON.stringify({ name: 'run', description: 'Runs.', parameters: {}, execution }) });
  const kernel = await bareKernel({ cwd, plugins: [toolFiles({ toolPaths: ['.'] }), executorCommand(), ...plugins] });
  return (await kernel.call({ tool: 'run', trace: { traceparent, tracestate: 'vendor=planted' } })).output;
}

describe('a program of a traced call', () => {
  it('has its place in the trace in TRACEPARENT, and nothing else of the trace', async () => {
    expect(await variablesOf([telemetry({ metrics: false })])).to.deep.equal([['TRACEPARENT', traceparent]]);
  });

  it('has that of its definition where that names one', async () => {
    expect(await variablesOf([telemetry({ metrics: false })], { TRACEPARENT: own })).to.deep.equal([['TRACEPARENT', own]]);
  });

  it('has none where workers are not told, and where no plugin traces', async () => {
    expect(await variablesOf([telemetry({ metrics: false, propagate: ['loopback'] })])).to.deep.equal([]);
    expect(await variablesOf([])).to.deep.equal([]);
  });
});
