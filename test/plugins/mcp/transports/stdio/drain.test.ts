import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { mcp } from '../../../../../plugins/mcp/index.ts';
import { testKernel } from '../../../../support/test-kernel.ts';

describe('a server over stdio', () => {
  it('gives running calls as long to end as drainMs says', async () => {
    const kernel = await testKernel({ plugins: [mcp({ drainMs: 600_000 })] });
    expect((await kernel.serve({ output: new PassThrough() })).map(({ drainMs }) => drainMs)).to.deep.equal([600_000]);
  });
});
