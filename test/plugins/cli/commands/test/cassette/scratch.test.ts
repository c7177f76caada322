import { stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Scratch } from '../../../../../../plugins/cli/commands/test/cassette/scratch.ts';

describe('the folder of an example', () => {
  it('has files of the same time in each run: what is made of them would be another size', async () => {
    const scratch = await Scratch.open();
    try {
      const times = [];
      for (let run = 0; run < 2; run++) {
        await scratch.fill({ 'a.txt': 'a', 'sub/b.bin': { base64: 'YQ==' } });
        for (const name of ['a.txt', 'sub/b.bin']) times.push((await stat(path.join(scratch.folder, name))).mtime.toISOString());
      }
      expect(new Set(times)).to.deep.equal(new Set(['2026-01-02T03:04:05.000Z']));
    } finally {
      await scratch.close();
    }
  });
});
