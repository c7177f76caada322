import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { kernelWith, serverFile, stdioServer } from './kernel-with.ts';

const rounds = 1000;

/** Processes of this one and all that they started, zombies aside. */
function descendants(): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const [, state = '', parent = ''] = /^\d+ \(.*\) (\S) (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      if (state !== 'Z') parents.set(Number(name), Number(parent));
    } catch {
      // It has ended meanwhile.
    }
  }
  const isOwn = (pid: number | undefined): boolean => pid !== undefined && (pid === process.pid || isOwn(parents.get(pid)));
  return [...parents.keys()].filter((pid) => pid !== process.pid && isOwn(pid));
}

const descriptors = (): number => readdirSync('/proc/self/fd').length;

describe('a thousand ends of a server', () => {
  for (const [title, flags] of [
    ['in a call', []],
    ['in a handshake', ['exits-at-discover', 'mute']],
  ] as const)
    it(`leave no process and no descriptor: ${title}`, async function () {
      this.timeout(600_000);
      const bad = { command: process.execPath, args: [serverFile('plain'), ...flags], pin: 'first-use', gate: 'none' } as const;
      const kernel = await kernelWith({ good: stdioServer('plain'), bad });
      const before = { processes: descendants().length, descriptors: descriptors() };
      for (let round = 0; round < rounds; round++) {
        if (flags.length === 0) await kernel.call({ tool: 'bad_die', parameters: {}, caller: 'ada' }).catch(() => {});
        else await kernel.sources.relist('bad').catch(() => {});
      }
      // At most the one process that the next call would use.
      await until(() => descendants().length <= before.processes || undefined);
      expect(descriptors()).to.be.at.most(before.descriptors + 4);
      await kernel.close();
      await until(() => descendants().length <= 1 || undefined);
    });
});
