import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { temporaryFolder } from '../support/temporary.ts';
import { terminalPicture } from './terminal-picture.ts';

const file = 'plugins/toolkit/reference/terminal.svg';

describe('the picture of the README', () => {
  it('shows what the program prints now; npm run docs:picture makes it anew', async () => {
    const picture = await terminalPicture(await temporaryFolder());
    if (process.env['UPDATE_SNAPSHOTS'] === '1') await writeFile(file, picture);
    expect(picture).to.equal(await readFile(file, 'utf8'));
  });
});
