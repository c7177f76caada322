import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { acceptedFolder, eventFile, isAlive, kernelWith, type ServerEvent, serverFile, stdioServer } from './kernel-with.ts';

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

  for (const [how, end] of [
    ['is killed', (child) => void child.kill('SIGKILL')],
    ['is asked to end', (child) => void child.kill('SIGTERM')],
    ['has no client any longer', (child) => void child.stdin?.end()],
  ] as const satisfies readonly (readonly [string, (child: ChildProcess) => void])[])
    it(`ends with everything that it started when the program ${how}`, async () => {
      const { file, read } = await eventFile();
      const folder = await acceptedFolder('echo');
      const shop = stdioServer('plain', { pin: 'lock', env: { EVENTS: file }, flags: ['child', 'deaf'] });
      const plugins = [
        ['toolkit/standard', { includeCore: false }],
        ['toolkit/plugins/mcp', {}],
        ['toolkit/plugins/upstreams', { servers: { shop } }],
      ];
      await writeFile(path.join(folder, 'toolkit.config.yaml'), `plugins: ${JSON.stringify(plugins)}\n`);
      const program = spawn(process.execPath, [path.resolve('dist/plugins/toolkit/main.js'), 'mcp'], {
        cwd: folder,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      const pids = await until(async () => {
        const found = pidsOf(await read());
        return found.length === 2 ? found : undefined;
      });
      end(program);
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
