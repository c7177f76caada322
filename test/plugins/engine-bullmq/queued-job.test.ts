import { expect } from 'chai';
import { jobIdOf, readJobId } from '../../../plugins/engine-bullmq/queued-job.ts';
import { newCallKey } from '../../../plugins/shared/calls/call-keys.ts';

const callKey = newCallKey({ caller: 'ada', id: 'a' }, 1_700_000_000_000);

describe('the id of a job', () => {
  it('names one run of a call', () => {
    const job = { callKey, runAt: 1_700_000_000_001 };
    expect(readJobId(jobIdOf(job))).to.deep.equal(job);
    expect(jobIdOf(job)).to.not.equal(jobIdOf({ ...job, runAt: job.runAt + 1 }));
  });

  for (const id of [
    undefined,
    '',
    'a',
    callKey,
    `${callKey}.`,
    `${callKey}.x`,
    `../${callKey}.1`,
    `${callKey}.1.1`,
    `${callKey}.${'1'.repeat(16)}`,
    `${callKey}.1\n`,
  ])
    it(`is ignored when it is ${JSON.stringify(id)}`, () => {
      expect(readJobId(id)).to.equal(undefined);
    });
});
