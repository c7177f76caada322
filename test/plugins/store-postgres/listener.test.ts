import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import type { Client } from 'pg';
import { Watchers } from '../../../plugins/shared/state/watchers.ts';
import { Listener } from '../../../plugins/store-postgres/listener.ts';
import { until } from '../../support/until.ts';

/** A connection whose first statement ends when the test says so. */
class Connection extends EventEmitter {
  readonly said: string[] = [];
  answer = (): void => {};
  readonly #first = new Promise<void>((resolve) => {
    this.answer = resolve;
  });

  async connect(): Promise<void> {}

  async query(statement: string): Promise<void> {
    this.said.push(statement);
    await this.#first;
  }

  async end(): Promise<void> {
    this.emit('end');
  }
}

describe('listening to what others write', () => {
  it('hears a channel that is wanted while a broken connection is opened again', async () => {
    const connections: Connection[] = [];
    const client = (): Client => {
      const connection = new Connection();
      connections.push(connection);
      return connection as unknown as Client;
    };
    const listener = new Listener({ watchers: new Watchers(), logger: { warn: () => {} }, client, keysOf: async () => [] });
    const first = listener.listen('one');
    const [before] = await until(() => (connections[0]?.said.length === 1 ? (connections as [Connection]) : undefined));
    before.answer();
    await first;
    before.emit('end');
    const after = await until(() => (connections[1]?.said.length === 1 ? connections[1] : undefined));
    const second = listener.listen('two');
    after.answer();
    await second;
    expect(after.said).to.deep.equal(['listen one;', 'listen two']);
    await listener.close();
  });
});
