import { PassThrough, Writable } from 'node:stream';
import { expect } from 'chai';
import { LineWriter } from '../../../../plugins/host-stdio/peer/line-writer.ts';

describe('the writer of lines', () => {
  it('writes the lines of one turn at once, in order', async () => {
    const chunks: string[] = [];
    const output = new Writable({
      write: (chunk, _encoding, done) => {
        chunks.push(String(chunk));
        done();
      },
    });
    const writer = new LineWriter(output);
    writer.write('a');
    writer.write('b');
    await new Promise(setImmediate);
    writer.write('c');
    await writer.empty();
    expect(chunks.join('|')).to.equal('a\nb\n|c\n');
  });

  it('knows what nobody has read, and when all is', async () => {
    const output = new PassThrough({ highWaterMark: 1 });
    const writer = new LineWriter(output);
    writer.write('x'.repeat(1000));
    writer.write('y'.repeat(1000));
    await new Promise(setImmediate);
    writer.write('z');
    const empty = writer.empty();
    expect(writer.unread).to.be.at.least(2);
    output.resume();
    await empty;
    expect(writer.unread).to.equal(0);
  });

  it('waits for nobody who has gone', async () => {
    const output = new Writable({ write: () => {} });
    const writer = new LineWriter(output);
    writer.write('never read');
    const empty = writer.empty();
    output.destroy();
    await empty;
    writer.write('never written');
    await writer.empty();
  });
});
