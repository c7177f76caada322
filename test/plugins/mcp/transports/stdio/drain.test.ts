import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { mcp } from '../../../../../plugins/mcp/index.ts';
import { testKernel } from '../../../../support/test-kernel.ts';

describe('a server over stdio', () => {
  it('gives running calls as long to end as drainMs says', async () => {
    const kernel = await testKernel({ plugins: [mcp({ drainMs: 600_000 })] });
    expect((await kernel.serve({ output: new PassThrough() })).map(({ drainMs }) => drainMs)).to.deep.equal([600_000]);
  });

  it('keeps the answers for a client that does not read yet, without a listener for each', async () => {
    const kernel = await testKernel({ plugins: [mcp({})] });
    const output = new PassThrough({ highWaterMark: 1 });
    await kernel.serve({ output });
    const ids = Array.from({ length: 30 }, (_, id) => id);
    process.stdin.emit('data', Buffer.from(ids.map((id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`).join('')));
    // Nobody reads: the first of them fills the buffer.
    while (output.writableLength + output.readableLength < 30 * '{"result":{},"jsonrpc":"2.0","id":1}\n'.length) await setImmediate();
    expect(output.listenerCount('drain')).to.equal(0);
    let text = '';
    for await (const chunk of output) {
      text += String(chunk);
      if (text.split('\n').length > 30) break;
    }
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).to.deep.equal(ids);
  });
});
