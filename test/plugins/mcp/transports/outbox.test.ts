import { expect } from 'chai';
import { Outbox } from '../../../../plugins/mcp/transports/outbox.ts';

/** An outbox, what left it, and the end of its turn. */
function outbox(beforeAnswers: () => void | Promise<void>) {
  const left: string[][] = [];
  const ends: (() => void)[] = [];
  const box = new Outbox<string>({
    kernel: { beforeAnswers },
    scheduleFlush: (send) => ends.push(send),
    send: (items) => left.push([...items]),
  });
  return { box, left, endTurn: () => ends.splice(0).forEach((end) => void end()) };
}

describe('what leaves at the end of a turn', () => {
  it('leaves together, and once', () => {
    const { box, left, endTurn } = outbox(() => {});
    box.add('a');
    box.add('b');
    expect(left).to.deep.equal([]);
    endTurn();
    box.add('c');
    endTurn();
    endTurn();
    expect(left).to.deep.equal([['a', 'b'], ['c']]);
  });

  it('waits for what must be before, and behind what waits', async () => {
    let release: () => void = () => {};
    let asked = 0;
    const { box, left, endTurn } = outbox(() => (asked++ === 0 ? new Promise<void>((resolve) => (release = resolve)) : undefined));
    box.add('a');
    endTurn();
    box.add('b');
    endTurn();
    const sent = box.empty();
    expect([left, asked]).to.deep.equal([[], 2]);
    release();
    await sent;
    expect(left).to.deep.equal([['a'], ['b']]);
  });

  it('leaves at once where that is asked for', () => {
    const { box, left, endTurn } = outbox(() => {});
    box.add('a');
    expect(box.empty()).to.equal(undefined);
    endTurn();
    expect(left).to.deep.equal([['a']]);
  });
});
