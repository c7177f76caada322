import { expect } from 'chai';
import { maxPriority, priorityOf } from '../../../plugins/engine-bullmq/job-priority.ts';

const minute = 60_000;
const at = Date.UTC(2027, 5, 1);

describe('the priority of a job', () => {
  it('puts callers with few unfinished calls first', () => {
    const ofMany = [1, 2, 20, 9999].map((openCalls) => priorityOf(at, openCalls));
    expect(ofMany).to.deep.equal([...ofMany].sort((one, other) => one - other));
    expect(priorityOf(at, 0)).to.be.lessThan(ofMany[0] ?? 0);
  });

  it('ages: later calls overtake the last one of a long queue for 70 minutes at most', () => {
    const last = priorityOf(at, 9999);
    expect(priorityOf(at + 60 * minute, 0)).to.be.lessThan(last);
    expect(priorityOf(at + 75 * minute, 0)).to.be.greaterThan(last);
  });

  for (const [title, time] of [
    ['before it counts', 0],
    ['in a hundred years', Date.UTC(2127, 0, 1)],
  ] as const)
    it(`is one that BullMQ takes ${title}`, () => {
      expect(priorityOf(time, 9999)).to.be.within(0, maxPriority);
    });
});
