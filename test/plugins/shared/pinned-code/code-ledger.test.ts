import { appendFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { pin } from '../../../../plugins/shared/pinned-code/code-file.ts';
import { CodeLedger } from '../../../../plugins/shared/pinned-code/code-ledger.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

async function project(): Promise<{ file: string; ledger(): CodeLedger }> {
  const folder = await temporaryFolder({ 'up.mjs': 'old' });
  const state = await temporaryFolder({});
  return { file: path.join(folder, 'up.mjs'), ledger: () => new CodeLedger(folder, { XDG_STATE_HOME: state }) };
}

describe('the ledger of code that models wrote', () => {
  it('remembers a content from process to process until it is accepted', async () => {
    const { file, ledger } = await project();
    ledger().addWritten([{ ...pin(file), tool: 'fs_write_file' }]);
    expect(ledger().unaccepted()).to.deep.equal([{ ...pin(file), tool: 'fs_write_file' }]);
    ledger().accept([pin(file)]);
    expect(ledger().unaccepted()).to.deep.equal([]);
    expect(ledger().isAccepted(pin(file))).to.equal(true);
  });

  it('says nothing of a file that holds something else now', async () => {
    const { file, ledger } = await project();
    ledger().addWritten([{ ...pin(file), tool: 'fs_write_file' }]);
    await writeFile(file, 'edited');
    expect(ledger().unaccepted()).to.deep.equal([]);
  });

  it('takes what a call had begun to write when its process was killed for written', async () => {
    const { file, ledger } = await project();
    ledger().addBegan('call-1', 'fs_write_file', [pin(file)]);
    expect(ledger().unaccepted()).to.deep.equal([]);
    await writeFile(file, 'half');
    expect(
      ledger()
        .unaccepted()
        .map(({ tool }) => tool),
    ).to.deep.equal(['fs_write_file']);
    ledger().addEnded('call-1');
    expect(ledger().unaccepted()).to.deep.equal([]);
  });

  it('passes over half a line that a killed process has left', async () => {
    const { file, ledger } = await project();
    ledger().addWritten([{ ...pin(file), tool: 'fs_write_file' }]);
    await appendFile(ledger().file, '\n{"type":"acc');
    expect(ledger().unaccepted()).to.have.length(1);
    ledger().accept([pin(file)]);
    expect(ledger().unaccepted()).to.deep.equal([]);
  });
});
