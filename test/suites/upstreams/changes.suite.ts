import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { kinds } from '../../../fixtures/servers/upstreams/hostile-lists.mjs';
import type { Kernel } from '../../../kernel/index.ts';
import type { UpstreamServer } from '../../../plugins/upstreams/index.ts';
import { kernelWith } from '../../plugins/upstreams/kernel-with.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';

const fixture = path.resolve('fixtures/servers/upstreams/hostile.mjs');

const server = (signal: string): UpstreamServer => ({
  command: process.execPath,
  args: [fixture, 'changes', signal],
  pin: 'first-use',
  gate: 'none',
});

/** True when what the server has changed is not served: it waits for an acceptance, or is missing and named. */
function isNoticed(kernel: Kernel): boolean {
  const [source] = kernel.sources.list();
  const isMissed = source?.reported.join().includes('no longer offers') === true;
  return isMissed || source?.state === 'quarantined' || kernel.sources.pending().length > 0;
}

const read = (kernel: Kernel) => kernel.call({ tool: 'shop_read', parameters: {}, caller: 'ada' });

describe('a server that changes one thing of its lists', () => {
  let folder: string;
  let signal: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    signal = path.join(await temporaryFolder(), 'signal');
    await writeFile(signal, '');
  });

  const changes = kinds.filter((kind: string) => kind !== 'order');

  // A server says its instructions once, when it is connected.
  for (const kind of changes.filter((name: string) => name !== 'instruction'))
    it(`has it withheld when it announces it: ${kind}`, async () => {
      const kernel = await kernelWith({ shop: server(signal) }, folder);
      await read(kernel);
      expect(isNoticed(kernel)).to.equal(false);
      await writeFile(signal, kind);
      await until(() => isNoticed(kernel) || undefined);
    });

  for (const kind of changes)
    it(`has it withheld when it is started again: ${kind}`, async () => {
      const kernel = await kernelWith({ shop: server(signal) }, folder);
      await read(kernel);
      await writeFile(signal, `ends ${kind}`);
      await until(async () => {
        await read(kernel).catch(() => {});
        return isNoticed(kernel) || undefined;
      });
    });

  for (const kind of changes)
    it(`has it withheld when this program is started again: ${kind}`, async () => {
      const first = await kernelWith({ shop: server(signal) }, folder);
      await read(first);
      await first.close();
      await writeFile(signal, kind);
      const kernel = await kernelWith({ shop: server(signal) }, folder);
      await read(kernel).catch(() => {});
      await until(() => isNoticed(kernel) || undefined);
    });

  it('is served as before when only the order of members is another one', async () => {
    const first = await kernelWith({ shop: server(signal) }, folder);
    await read(first);
    await first.close();
    await writeFile(signal, 'order');
    const kernel = await kernelWith({ shop: server(signal) }, folder);
    await read(kernel);
    expect(isNoticed(kernel)).to.equal(false);
  });
});
