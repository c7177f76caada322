import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import sinon from 'sinon';
import { apiVersion, definePlugin, deny } from '../../../kernel/index.ts';
import { auditTrail } from '../../../plugins/audit-trail/index.ts';
import { verifyTrail } from '../../../plugins/audit-trail/verify-trail.ts';
import { invocation } from '../../support/invocation.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool } from '../../support/test-kernel.ts';
import { audited, recordsIn } from './audited.ts';
import { started } from './faults.ts';

const { risk: _risk, ...unknownRisk } = echoTool({ name: 'unknown' });

describe('the record before a call', () => {
  afterEach(() => sinon.restore());

  const tools = [echoTool({ name: 'high', risk: 'high' }), echoTool({ name: 'medium', risk: 'medium' }), unknownRisk];
  for (const [tool, events] of [
    ['echo', [undefined]],
    ['medium', ['intent', undefined]],
    ['high', ['intent', undefined]],
    ['unknown', ['intent', undefined]],
  ] as const) {
    it(`${events.length === 1 ? 'is not written' : 'is written'} for the risk of "${tool}"`, async () => {
      const { kernel, file } = await audited({}, { tools });
      const { callId } = await kernel.call({ tool, parameters: { text: 'x' }, caller: 'ci' });
      const records = await recordsIn(file);
      expect(records.map(({ event }) => event)).to.deep.equal(events);
      for (const record of records) expect(record).to.deep.include({ call_id: callId, tool, caller: 'ci', parameters: { text: 'x' } });
      expect(await verifyTrail(file)).to.deep.include({ problems: [], unfinished: [], unfinishedCount: 0 });
    });
  }

  it('is in the file before anything executes the call', async () => {
    let seen = '';
    const effect = definePlugin({
      name: 'effect',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.execute.for('*').tap('effect', () => {
          seen = readFileSync(file, 'utf8');
          return { output: 1 };
        }),
    });
    const { kernel, file } = await audited({}, { tools, plugins: [effect()] });
    await kernel.execute('high');
    expect(seen).to.include('"event":"intent"');
  });

  it('is not written for a call that is refused', async () => {
    const no = definePlugin({
      name: 'no',
      apiVersion,
      apply: ({ hooks }) => hooks.beforeExecute.tap('no', (draft) => deny(draft, { kind: 'rule', message: 'no' })),
    });
    const { kernel, file } = await audited({}, { tools, plugins: [no()] });
    await rejection(kernel.execute('high'), 'POLICY_DENIED');
    expect((await recordsIn(file)).map(({ event }) => event)).to.deep.equal([undefined]);
  });

  for (const onFailure of ['closed', 'open'] as const) {
    it(`${onFailure === 'closed' ? 'refuses the call' : 'lets the call go on'} where it does not fit, with onFailure: ${onFailure}`, async () => {
      const { kernel, file, disk } = await started({ onFailure }, { tools });
      disk.room = 0;
      const outcome = await kernel.execute('high').then(
        () => 'ran',
        ({ code }: { code: string }) => code,
      );
      expect(outcome).to.equal(onFailure === 'closed' ? 'POLICY_DENIED' : 'ran');
      disk.room = Number.POSITIVE_INFINITY;
      await kernel.execute('count');
      expect((await recordsIn(file)).map(({ tool, event, executed }) => [tool, event, executed])).to.deep.equal([
        ['count', undefined, true],
        ['high', undefined, onFailure === 'open'],
        ['count', undefined, true],
      ]);
    });
  }

  it('is listed as an unfinished call by "audit verify", which ends with 0, while the call runs', async () => {
    let release: () => void = () => {};
    let begin: () => void = () => {};
    const runs = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const handler = () => {
      begin();
      return new Promise((resolve) => {
        release = () => resolve('done');
      });
    };
    const held = echoTool({ name: 'held', risk: 'high', execution: { type: 'function', handler } });
    const { kernel, file } = await audited({}, { tools: [held] });
    const call = kernel.call({ tool: 'held', caller: 'ci' });
    await runs;
    const [intent] = await recordsIn(file);
    let text = '';
    const write = (more: string) => {
      text += more;
    };
    await auditTrail({ path: 'unused' })
      .commands?.find(({ name }) => name === 'audit verify')
      ?.run(invocation({ arguments: [file], flags: {}, write }));
    expect(text).to.include(`${file}:1: unfinished: held, begun ${intent?.['time']} by ci (call ${intent?.['call_id']})\n`);
    expect(text).to.include('The trail verifies.');
    release();
    await call;
    expect((await verifyTrail(file)).unfinished).to.deep.equal([]);
  });
});
