import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { createKernel } from '../../kernel/index.ts';
import { sandboxBwrap } from '../../plugins/sandbox-bwrap/index.ts';
import { standard } from '../../plugins/toolkit/standard.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { upstreams } from '../../plugins/upstreams/index.ts';
import { serverFile } from '../plugins/upstreams/kernel-with.ts';
import { temporaryFolder } from '../support/temporary.ts';

describe('a server in the sandbox', () => {
  it('answers, is process 1 of its own, and ends with the kernel', async () => {
    const cwd = await temporaryFolder();
    await copyFile(serverFile('plain'), path.join(cwd, 'plain.mjs'));
    const events = path.join(cwd, 'events');
    const kernel = await createKernel({
      logger: memoryLogger(),
      cwd,
      plugins: [
        ...standard({ includeCore: false, autoDiscover: false, roots: [cwd] }),
        sandboxBwrap({ roots: [cwd] }),
        upstreams({
          servers: { shop: { command: process.execPath, args: ['./plain.mjs'], env: { EVENTS: events }, pin: 'first-use', gate: 'none' } },
        }),
      ],
    });
    try {
      expect(kernel.sources.list()[0]?.failure).to.equal(undefined);
      const { output } = await kernel.call({ tool: 'shop_echo', parameters: { text: 'hello' }, caller: 'ada' });
      expect(output).to.equal('hello');
      const { readFile } = await import('node:fs/promises');
      expect(JSON.parse((await readFile(events, 'utf8')).split('\n')[0] ?? '')).to.include({ pid: 1 });
    } finally {
      await kernel.close();
    }
  });
});
