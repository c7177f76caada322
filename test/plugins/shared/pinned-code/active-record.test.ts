import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import type { PluginEntry } from '../../../../kernel/index.ts';
import { approvalGate } from '../../../../plugins/approval-gate/index.ts';
import { readRecord, recordServedTools, startRecording } from '../../../../plugins/shared/pinned-code/active-record.ts';
import { serverOfCommand } from '../../../../plugins/shared/pinned-code/server-of-command.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { bareKernel, testKernel } from '../../../support/test-kernel.ts';
import { until } from '../../../support/until.ts';

describe('the record of what a server has loaded', () => {
  it('is written where another server of the same number is in the middle of writing its own', async () => {
    const state = await temporaryFolder();
    const place = { env: { XDG_STATE_HOME: state }, folder: '/a/project' };
    const active = path.join(state, 'toolkit', 'active');
    startRecording(await testKernel({}), place, ['first']);
    const file = await until(async () => (await readdir(active).catch(() => [])).find((name) => name.endsWith('.json')));
    const half = path.join(active, `${file}.${process.pid}`);
    await writeFile(half, '{"pid":1,');
    startRecording(await testKernel({}), place, ['second']);
    await until(async () => {
      const record = await readRecord(place);
      return ('toolPaths' in record && record.toolPaths?.[0] === 'second') || undefined;
    });
    expect(await readdir(active)).to.have.members([file, path.basename(half)]);
  });

  it('is written for a server that a command starts, with the folders of its flag', async () => {
    const env = { XDG_STATE_HOME: await temporaryFolder() };
    const cwd = await temporaryFolder();
    const { plugins } = serverOfCommand({ toolPaths: ['/tools'] })({ plugins: [] });
    const kernel = await bareKernel({ plugins: plugins as PluginEntry[], cwd });
    recordServedTools({ kernel, cwd }, env);
    const record = await until(async () => {
      const found = await readRecord({ env, folder: cwd });
      return 'doubt' in found ? undefined : found;
    });
    expect(record).to.deep.include({ pid: process.pid, toolPaths: ['/tools'], marks: {} });
  });

  it('is not written for the server of another host', async () => {
    const kernel = await bareKernel({ plugins: [approvalGate()] });
    const onReload = sinon.spy(kernel, 'onReload');
    recordServedTools({ kernel, cwd: '/a/project' });
    expect(onReload.callCount).to.equal(0);
  });

  it('is the work of the approval gate, when a server is about to serve', async () => {
    const kernel = await bareKernel({ plugins: [approvalGate()] });
    expect(kernel.tapsOf('serve').map(({ plugin }) => plugin)).to.deep.equal(['approval-gate']);
  });
});
