import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { LineGate, readLines } from '../../../../plugins/shared/json-rpc/lines.ts';

function taking(take: (line: string) => Promise<void> | undefined) {
  const input = new PassThrough();
  const end = readLines(input, new LineGate({ maxBytes: 1000, refuse: () => {} }), take);
  return { input, end };
}

describe('taking lines', () => {
  it('gives others their turn after 32 of them', async () => {
    const lines: string[] = [];
    const { input } = taking((line) => {
      lines.push(line);
      return undefined;
    });
    input.write('a\n'.repeat(100));
    const seen: number[] = [];
    while (lines.length < 100) {
      await setImmediate();
      seen.push(lines.length);
    }
    expect(seen.map((count, turn) => count - (seen[turn - 1] ?? count)).filter((taken) => taken > 32)).to.deep.equal([]);
    expect(seen.length).to.be.at.least(3);
  });

  const mark = '\ufeff';
  const marked: readonly (readonly [where: string, written: string, lines: readonly string[]])[] = [
    ['before the first', `${mark}one\ntwo\n`, ['one\n', 'two\n']],
    ['before each', `${mark}one\n${mark}two\n`, ['one\n', 'two\n']],
    ['before one without an end', `one\n${mark}two`, ['one\n', 'two']],
    ['inside one', `o${mark}ne\n`, [`o${mark}ne\n`]],
    ['alone', `${mark}\n`, ['\n']],
  ];
  for (const [where, written, expected] of marked) {
    it(`leaves a byte order mark out where it is no part of a line: ${where}`, async () => {
      const lines: string[] = [];
      const { input } = taking((line) => {
        lines.push(line);
        return undefined;
      });
      input.end(written);
      while (lines.length < expected.length) await setImmediate();
      expect(lines).to.deep.equal(expected);
    });
  }

  it('takes no more while it is held', async () => {
    const lines: string[] = [];
    let goOn = (): void => {};
    const { input } = taking((line) => {
      lines.push(line);
      return line === 'held\n' ? new Promise<void>((resolve) => (goOn = resolve)) : undefined;
    });
    input.write('one\nheld\nthree\n');
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    expect(lines).to.deep.equal(['one\n', 'held\n']);
    goOn();
    while (lines.length < 3) await setImmediate();
    expect(lines[2]).to.equal('three\n');
  });

  it('ends when it is told to', async () => {
    const lines: string[] = [];
    const { input, end } = taking((line) => {
      lines.push(line);
      return undefined;
    });
    end();
    input.write('one\n');
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    expect(lines).to.deep.equal([]);
  });
});
