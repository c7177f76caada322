import { expect } from 'chai';
import type { Figures } from './quiet-moment.ts';
import { broken, type Facts, slopePerMinute } from './verdict.ts';

const mebibyte = 1024 * 1024;

const at = (minute: number, more: Partial<Figures> = {}): Figures => ({
  atMs: minute * 60_000,
  rss: 200 * mebibyte,
  heapUsed: 50 * mebibyte,
  external: 0,
  arrayBuffers: 0,
  handles: {},
  descriptors: 100,
  descriptorKinds: {},
  processes: 8,
  threads: 15,
  loopDelayMs: { p50: 0, p99: 10, max: 20, count: 1000 },
  ...more,
});

const minutes = (length: number, of: (minute: number) => Partial<Figures>): Figures[] =>
  Array.from({ length }, (_, minute) => at(minute, of(minute)));

const good: Facts = { moments: minutes(14, () => ({})), unexpected: 0, orphans: [], exitCode: 0, limitsDelay: true };

describe('the verdict of a soak', () => {
  it('is good where nothing grows', () => {
    expect(broken(good)).to.deep.equal([]);
  });

  const cases: { title: string; facts: Partial<Facts>; says: RegExp }[] = [
    {
      title: 'a heap that grew',
      facts: { moments: minutes(14, (n) => ({ heapUsed: (50 + n / 4) * mebibyte })) },
      says: /^The heap .* 6\.5 percent/,
    },
    {
      title: 'resident memory that grows',
      facts: { moments: minutes(14, (n) => ({ rss: (200 + 1.5 * n) * mebibyte })) },
      says: /^Resident memory grew by 1\.50 MiB a minute/,
    },
    {
      title: 'descriptors that stay open',
      facts: { moments: minutes(14, (n) => ({ descriptors: 100 + n })) },
      says: /100 .* 113 at the end/,
    },
    { title: 'a process that is left over', facts: { orphans: ['7 sleep 300'] }, says: /outlived the server: 7 sleep 300/ },
    { title: 'a server that does not end', facts: { exitCode: undefined }, says: /ended with SIGKILL/ },
    { title: 'an unexpected error', facts: { unexpected: 1 }, says: /^1 errors were unexpected/ },
    {
      title: 'an event loop that is late in one minute',
      facts: { moments: minutes(14, (n) => (n === 3 ? { loopDelayMs: { p50: 0, p99: 50, max: 60, count: 1000 } } : {})) },
      says: /late by 50\.0 ms/,
    },
    { title: 'a run without figures', facts: { moments: [] }, says: /^No figures/ },
  ];
  for (const { title, facts, says } of cases) {
    it(`is bad because of ${title}, and of nothing else`, () => {
      const failures = broken({ ...good, ...facts });
      expect(failures).to.have.length(1);
      expect(failures[0]).to.match(says);
    });
  }

  it('judges no memory in a short run, and no delay where it was told so', () => {
    const moments = minutes(3, (n) => ({
      heapUsed: (50 + 10 * n) * mebibyte,
      rss: (200 + 10 * n) * mebibyte,
      loopDelayMs: { p50: 0, p99: 500, max: 500, count: 1 },
    }));
    expect(broken({ ...good, moments, limitsDelay: false })).to.deep.equal([]);
  });

  it('has the slope of the line that lies nearest: one high figure at the end is not all of it', () => {
    const moments = minutes(5, (n) => ({ rss: n === 4 ? 10 : 0 }));
    expect(slopePerMinute(moments, ({ rss }) => rss)).to.equal(2);
  });
});
