import { expect } from 'chai';
import sinon from 'sinon';
import { maxWaitMs, StageClock } from '../../../kernel/time/stage-clock.ts';

describe('the clock of a stage', () => {
  let time: sinon.SinonFakeTimers;
  let ends: string[];
  const clockOf = (limitMs: number): StageClock => {
    const clock = new StageClock(limitMs, (state) => void ends.push(state));
    clock.start();
    return clock;
  };

  beforeEach(() => {
    time = sinon.useFakeTimers();
    ends = [];
  });
  afterEach(() => time.restore());

  it('ends when its time is over', () => {
    clockOf(100);
    time.tick(99);
    expect(ends).to.deep.equal([]);
    time.tick(1);
    expect(ends).to.deep.equal(['running']);
  });

  it('begins when it is started, paused where it was paused before', () => {
    const clock = new StageClock(100, (state) => void ends.push(state));
    const resume = clock.pause();
    time.tick(5000);
    clock.start();
    time.tick(5000);
    resume();
    time.tick(99);
    expect(ends).to.deep.equal([]);
    time.tick(1);
    expect(ends).to.deep.equal(['running']);
  });

  it('stands still while it is paused, and goes on with what is left', () => {
    const clock = clockOf(100);
    time.tick(60);
    const resume = clock.pause();
    time.tick(5000);
    resume();
    time.tick(39);
    expect(ends).to.deep.equal([]);
    time.tick(1);
    expect(ends).to.deep.equal(['running']);
  });

  it('goes on when the last of several pauses is over; a pause is over once', () => {
    const clock = clockOf(100);
    const [first, second] = [clock.pause(), clock.pause()];
    first();
    first();
    time.tick(5000);
    expect(ends).to.deep.equal([]);
    second();
    time.tick(100);
    expect(ends).to.deep.equal(['running']);
  });

  it('ends when all pauses together take too long', () => {
    const clock = clockOf(100);
    const resume = clock.pause();
    time.tick(maxWaitMs - 10);
    resume();
    time.tick(50);
    clock.pause();
    time.tick(9);
    expect(ends).to.deep.equal([]);
    time.tick(1);
    expect(ends).to.deep.equal(['waiting']);
  });

  it('says nothing once it is stopped, also where a pause ends later', () => {
    const clock = clockOf(100);
    const resume = clock.pause();
    clock.stop();
    resume();
    time.tick(10 * maxWaitMs);
    expect(ends).to.deep.equal([]);
  });
});
