import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { limitedNode } from '../../../../plugins/shared/process/limited-node.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

/** Writes a megabyte after the other to descriptor 3, and says after how many it was stopped. */
const filling = `
const { writeSync } = require('node:fs');
const block = Buffer.alloc(1024 * 1024);
let written = 0;
try {
  for (; written < 200 * block.length;) written += writeSync(3, block);
} catch (error) {
  console.log(error.code, written / block.length);
}
`;

describe('a Node process with limits', () => {
  it('fills no file that it was given open beyond 64 MB', async () => {
    const folder = await temporaryFolder({ 'filling.cjs': filling });
    const { program, args } = limitedNode(path.join(folder, 'filling.cjs'), {
      heapMb: 64,
      nativeMb: 64,
      reads: [path.join(folder, '*')],
    });
    const file = await open(path.join(folder, 'given'), 'w');
    try {
      const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit', file.fd] });
      expect(await text(child.stdout as NonNullable<typeof child.stdout>)).to.equal('EFBIG 64\n');
    } finally {
      await file.close();
    }
  });
});
