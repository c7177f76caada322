import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { discardTypedInput } from '../../../../plugins/shared/terminal/discard-typed-input.ts';

/** A keyboard, and what of it is left for the next question. */
function keyboard(): { input: PassThrough; left(): unknown } {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode() {} });
  return { input, left: () => input.read()?.toString() };
}

describe('what was typed before a question is there', () => {
  it('is forgotten', async () => {
    const { input, left } = keyboard();
    input.write('y');
    await discardTypedInput(input);
    input.write('n');
    expect(left()).to.equal('n');
  });

  it('is forgotten where a question was answered before', async () => {
    const { input, left } = keyboard();
    input.pause();
    input.write('y');
    await discardTypedInput(input);
    input.write('n');
    expect(left()).to.equal('n');
  });

  it('is kept where it is no terminal', async () => {
    const { input, left } = keyboard();
    input.write('y');
    await discardTypedInput(Object.assign(input, { isTTY: false }));
    expect(left()).to.equal('y');
  });
});
