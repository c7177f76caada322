import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect } from 'chai';
import { Interruption } from '../../../tools/postgres/interruption.ts';

const late = new Error('the time is over');

/** Keeps this thread busy. */
const block = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('the interruption of a statement', () => {
  it('stops it once when its time is over', async () => {
    let stops = 0;
    const watch = await new Promise<Interruption>((resolve) => {
      const made: Interruption = new Interruption(
        new AbortController().signal,
        1,
        () => late,
        () => {
          stops++;
          resolve(made);
        },
      );
    });
    expect({ stops, reason: watch.reason }).to.deep.equal({ stops: 1, reason: late });
  });

  it('does not stop it when the answer has come in time to a process that was busy', async () => {
    const server = createServer((socket) => socket.end('answer')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await Promise.all([once(server, 'connection'), once(client, 'connect')]);
    let stops = 0;
    const watch = new Interruption(
      new AbortController().signal,
      20,
      () => late,
      () => void stops++,
    );
    const answered = once(client, 'data').then(() => watch.end());
    block(100);
    await answered;
    await new Promise(setImmediate);
    server.close();
    expect({ stops, reason: watch.reason }).to.deep.equal({ stops: 0, reason: undefined });
  });
});
