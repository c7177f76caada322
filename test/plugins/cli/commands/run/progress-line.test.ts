import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import sinon from 'sinon';
import { progressLine, progressText } from '../../../../../plugins/cli/commands/run/progress-line.ts';

function stream(columns: number) {
  const error = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns });
  return { error, written: () => String(error.read() ?? '') };
}

describe('the progress of toolkit run', () => {
  afterEach(() => sinon.restore());

  const texts = [
    { step: { progress: 1, total: 4, message: 'one' }, shows: '[#####---------------]  25 %  one' },
    { step: { progress: 9, total: 4 }, shows: '[####################] 100 %' },
    { step: { progress: -1, total: 4 }, shows: '[--------------------]   0 %' },
    { step: { progress: 12, message: 'bytes received' }, shows: '12 bytes received' },
    { step: { progress: 1, total: 0, message: 'x' }, shows: '1 x' },
    { step: { message: 'two\nlines\u001b[2J' }, shows: 'two lines\\u001b[2J' },
  ];
  for (const { step, shows } of texts) {
    it(`is "${shows}" for ${JSON.stringify(step)}`, () => {
      expect(progressText(step)).to.equal(shows);
    });
  }

  it('stays on one line of the terminal and is gone afterwards', async () => {
    const { error, written } = stream(10);
    const line = await progressLine({ error }, {});
    line.show({ message: 'a long 日本語 message' });
    expect(written()).to.equal('\r\u001b[2Ka long 日');
    line.clear();
    line.clear();
    expect(written()).to.equal('\r\u001b[2K');
  });

  it('is not drawn more often than can be read', async () => {
    const now = sinon.stub(performance, 'now');
    const { error, written } = stream(80);
    const line = await progressLine({ error }, {});
    for (const [at, message] of [
      [0, 'a'],
      [10, 'b'],
      [49, 'c'],
      [50, 'd'],
    ] as const) {
      now.returns(at);
      line.show({ message });
    }
    expect(written()).to.equal('\r\u001b[2Ka\r\u001b[2Kd');
  });

  const silent = [
    { title: 'is not shown where standard error is no terminal', isTTY: false, env: {} },
    { title: 'is not shown on a terminal that knows no sequences', isTTY: true, env: { TERM: 'dumb' } },
  ];
  for (const { title, isTTY, env } of silent) {
    it(title, async () => {
      const { error, written } = stream(80);
      const line = await progressLine({ error: Object.assign(error, { isTTY }) }, env);
      line.show({ message: 'a' });
      line.clear();
      expect(written()).to.equal('');
    });
  }
});
