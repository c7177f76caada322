import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { eventFile, isAlive, kernelWith, type ServerEvent, serverFile, stdioServer } from './kernel-with.ts';

const pidsOf = (events: readonly ServerEvent[]): readonly number[] => events.flatMap(({ pid, child }) => [pid ?? [], child ?? []].flat());

describe('the process of a server, at its end', () => {
  for (const [what, flags] of [
    ['', []],
    [', though it does not end by itself', ['hang']],
    [', though it does not end when asked', ['deaf']],
  ] as const)
    it(`ends with everything that it started when the kernel closes${what}`, async () => {
      const { file, read } = await eventFile();
      const kernel = await kernelWith({ shop: stdioServer('plain', { env: { EVENTS: file }, flags: ['child', ...flags] }) });
      const pids = pidsOf(await read());
      expect(pids.filter(isAlive)).to.have.lengthOf(2);
      await kernel.close();
      await until(() => !pids.some(isAlive) || undefined);
    });

  it('is killed when it floods its output before it answers', async () => {
    const { file, read } = await eventFile();
    const bad = { command: process.execPath, args: [serverFile('plain'), 'flood', 'mute'], env: { EVENTS: file } };
    const kernel = await kernelWith({ bad: { ...bad, pin: 'first-use' } });
    expect(kernel.sources.list()[0]).to.deep.include({ state: 'down' });
    expect(pidsOf(await read()).filter(isAlive)).to.deep.equal([]);
  });
});
