import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { readRecord, startRecording } from '../../../../plugins/shared/pinned-code/active-record.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { testKernel } from '../../../support/test-kernel.ts';
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
});
