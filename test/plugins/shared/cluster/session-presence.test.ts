import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import type { Client } from 'pg';
import { SessionPresence } from '../../../../plugins/shared/cluster/session-presence.ts';
import { rejection } from '../../../support/rejection.ts';
import { until } from '../../../support/until.ts';

/** A server that connections can be opened to while it is up. */
class Server {
  isUp = true;
  readonly #connections: EventEmitter[] = [];

  createClient(): Client {
    const backend = this.#connections.length;
    const connection = Object.assign(new EventEmitter(), {
      connect: async () => {
        if (!this.isUp) throw new Error('connect ECONNREFUSED');
      },
      query: async () => ({ rows: [{ backend }] }),
      end: async () => {},
    });
    this.#connections.push(connection);
    return connection as unknown as Client;
  }

  /** Ends all connections, and takes no new one. */
  fall(): void {
    this.isUp = false;
    for (const connection of this.#connections) connection.emit('end');
  }
}

describe('the presence of processes on PostgreSQL', () => {
  const cases: readonly (readonly [silentMs: number | undefined, isStalled: boolean])[] = [
    [0, false],
    [7999, false],
    [8000, true],
    [undefined, false],
  ];
  for (const [silentMs, isStalled] of cases)
    it(`takes a process whose connection was last used ${silentMs ?? 'at an unknown time'} ms ago for one that ${isStalled ? 'stands still' : 'goes on'}`, async () => {
      const presence = new SessionPresence({
        createClient: () => {
          throw new Error('not asked');
        },
        readProcesses: async () => [],
        deleteProcess: async () => {},
        readSilence: async () => silentMs,
      });
      expect(await presence.isStalled('a')).to.equal(isStalled);
    });

  it('does not let a process wait for ever whose connection cannot be replaced, and holds again when the server is back', async () => {
    const server = new Server();
    const presence = new SessionPresence({
      createClient: () => server.createClient(),
      readProcesses: async () => [],
      deleteProcess: async () => {},
      replacementMs: 1,
    });
    let returns = 0;
    const announce = (): Promise<void> => presence.announce('a', () => returns++);
    await announce();
    server.fall();
    const { message } = await rejection(announce(), 'STATE_UNAVAILABLE');
    expect(message).to.include('no other could be opened within 0.001 s');
    server.isUp = true;
    await until(() => (returns === 1 ? true : undefined));
    await announce();
    await presence.close();
  });
});
