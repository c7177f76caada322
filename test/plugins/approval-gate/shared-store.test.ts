import path from 'node:path';
import { expect } from 'chai';
import type { Kernel, PluginEntry } from '../../../kernel/index.ts';
import { approvalGate, type GateRequest } from '../../../plugins/approval-gate/index.ts';
import { storeLibsql } from '../../../plugins/store-libsql/index.ts';
import { fileStore } from '../../support/file-store.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';

const key = 'a key of thirty-two bytes or more';

describe('approval tokens of processes that share a store', () => {
  const tokens: string[] = [];
  const gate = (stateFolder: string): PluginEntry =>
    approvalGate({
      mode: 'strict',
      key,
      stateFolder,
      onApproval: ({ token }: GateRequest) => void tokens.push(token?.() ?? ''),
    });
  const kernelOf = (...plugins: readonly PluginEntry[]): Promise<Kernel> =>
    testKernel({ plugins, tools: [echoTool({ name: 'act', requires_approval: true })] });
  const act = (kernel: Kernel, approval?: string): Promise<unknown> =>
    kernel.execute('act', {}, { origin: 'model', ...(approval === undefined ? {} : { approval }) });

  it('count in one of many who race for them, whatever the order of the plugins, and need no folder', async () => {
    const store = await fileStore();
    // A file: no folder can be made there.
    const nowhere = path.join(await temporaryFolder({ file: '' }), 'file', 'state');
    const kernels = await Promise.all([
      kernelOf(store(), gate(nowhere)),
      kernelOf(gate(nowhere), store()),
      kernelOf(gate(nowhere), store()),
    ]);
    await rejection(act(kernels[0] as Kernel), 'APPROVAL_REQUIRED');
    const token = tokens.pop();
    const ends = await Promise.allSettled(kernels.flatMap((kernel) => [act(kernel, token), act(kernel, token)]));
    expect(ends.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    const later = await kernelOf(gate(nowhere), store());
    expect((await rejection(act(later, token), 'APPROVAL_REQUIRED')).message).to.include('has been used, and counts once');
  });

  it('do not count where the store cannot be reached', async () => {
    const file = path.join(await temporaryFolder({ file: '' }), 'file', 'state.db');
    const kernel = await kernelOf(storeLibsql({ path: file }), gate(await temporaryFolder()));
    await rejection(act(kernel), 'APPROVAL_REQUIRED');
    const error = await rejection(act(kernel, tokens.pop()), 'APPROVAL_REQUIRED');
    expect(error.message).to.include('could not be recorded');
  });
});
