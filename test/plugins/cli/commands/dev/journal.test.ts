import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import type { Terminal } from '../../../../../kernel/index.ts';
import { Journal, type Piece } from '../../../../../plugins/cli/commands/dev/journal.ts';
import { noTerminal } from '../../../../support/invocation.ts';

const narrow: Terminal = {
  ...noTerminal,
  isTerminal: true,
  hasColors: true,
  error: Object.assign(new PassThrough(), { isTTY: true, columns: 40 }),
};

async function lineOf(terminal: Terminal, pieces: readonly Piece[]): Promise<string> {
  let text = '';
  const journal = await Journal.open(terminal, (more) => {
    text += more;
  });
  journal.printPieces(pieces);
  return text;
}

describe('the journal', () => {
  it('cuts a line at the width of the terminal, and colours it', async () => {
    const line = await lineOf(narrow, [
      ['name', 'say'],
      ['good', 'ok'],
      ['quiet', '{"word":"a long text that goes on and on"}'],
    ]);
    expect(line).to.include('\u001b[32mok\u001b[39m');
    expect(stripVTControlCharacters(line)).to.match(/^\d\d:\d\d:\d\d {2}say {2}ok {2}\{"word":"a long text/);
    expect(stripVTControlCharacters(line).trimEnd()).to.have.length(40).and.match(/…$/);
  });

  it('counts wide characters as two', async () => {
    const line = await lineOf(narrow, ['日本語日本語日本語日本語日本語日本語', 'rest']);
    expect(stripVTControlCharacters(line).slice(10).trimEnd()).to.equal('日本語日本語日本語日本語日本…');
  });

  it('leaves out what there is no room for', async () => {
    const line = await lineOf(narrow, ['x'.repeat(28), 'no room']);
    expect(stripVTControlCharacters(line).slice(10)).to.equal(`${'x'.repeat(28)}\n`);
  });

  it('shows no colours where there is no terminal, and more text', async () => {
    const line = await lineOf(noTerminal, [['bad', 'FAILED'], 'y'.repeat(200)]);
    expect(line.slice(10)).to.equal(`FAILED  ${'y'.repeat(200)}\n`);
  });
});
