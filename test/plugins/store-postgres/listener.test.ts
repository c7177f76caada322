import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { Watchers } from '../../../plugins/shared/state/watchers.ts';
import { Listener } from '../../../plugins/store-postgres/listener.ts';
import type { StoreClient } from '../../../plugins/store-postgres/store-client.ts';
import { until } from '../../support/until.ts';

/** A connection that opens with the event `open`, and whose first statement ends with `answer`. Its end is an error for what it was asked. */
class Connection extends EventEmitter {
  readonly said: string[] = [];
  isEnded = false;

  async connect(): Promise<void> {
    await once(this, 'open');
  }

  async query(statement: string): Promise<void> {
    if (this.said.push(statement) === 1) await once(this, 'answer');
  }

  async end(): Promise<void> {
    this.destroy();
  }

  destroy(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.emit('error', new Error('The connection has ended.'));
    this.emit('end');
  }
}

/** One that has listened to a channel, which is told of the keys `a` and `b` when it looks again. */
async function listening({ testIntervalMs = 60_000, isCurrent = (): boolean => true } = {}) {
  const connections: Connection[] = [];
  const warnings: string[] = [];
  const client = (): StoreClient => {
    const connection = new Connection();
    connections.push(connection);
    return connection as unknown as StoreClient;
  };
  const logger = { warn: (text: string) => void warnings.push(text) };
  const limits = { testIntervalMs, closeMs: 1000 };
  const watchers = new Watchers();
  const told: string[] = [];
  watchers.add('', (key) => told.push(key));
  const listener = new Listener({
    watchers,
    logger,
    limits,
    createClient: client,
    isCurrent,
    listKeys: async (prefix) => (prefix === '' ? ['a', 'b'] : []),
  });
  const opened = listener.listen('one');
  const [first] = connections as [Connection];
  first.emit('open');
  await until(() => first.said[0]);
  first.emit('answer');
  await opened;
  return { listener, first, connections, warnings, told };
}

/** One whose connection has broken. `next`: the one that it opens in its place. */
async function broken() {
  const { listener, first, connections, warnings } = await listening();
  first.emit('end');
  return { listener, next: await until(() => connections[1]), warnings };
}

describe('listening to what others write', () => {
  it('hears a channel that is wanted while a broken connection is opened again', async () => {
    const { listener, next } = await broken();
    next.emit('open');
    await until(() => next.said[0]);
    const listening = listener.listen('two');
    next.emit('answer');
    await listening;
    expect(next.said).to.deep.equal(['listen one;', 'listen two']);
    await listener.close();
  });

  it('leaves no connection behind that opens after it was closed', async () => {
    const { listener, next, warnings } = await broken();
    await listener.close();
    next.emit('open');
    await until(() => next.isEnded || undefined);
    expect(next.said).to.deep.equal([]);
    expect(warnings).to.deep.equal([]);
  });

  it('warns of nothing when it is closed while it says what it listens to', async () => {
    const { listener, next, warnings } = await broken();
    next.emit('open');
    await until(() => next.said[0]);
    await listener.close();
    expect(next.isEnded).to.equal(true);
    await setImmediate();
    expect(warnings).to.deep.equal([]);
  });

  it('replaces a connection that does not answer a test, and has watchers look again', async () => {
    const { listener, first, connections, told } = await listening({ testIntervalMs: 5 });
    // As the library does after the time limit of a statement.
    first.query = async () => {
      throw new Error('Query read timeout');
    };
    const next = await until(() => connections[1]);
    next.emit('open');
    await until(() => next.said[0]);
    expect(told).to.deep.equal([]);
    next.emit('answer');
    await until(() => told[1]);
    expect(told).to.deep.equal(['a', 'b']);
    expect(first.isEnded).to.equal(true);
    await listener.close();
  });

  it('leaves a server that is no longer the one in use', async () => {
    let isCurrent = true;
    const { listener, first, connections } = await listening({ testIntervalMs: 5, isCurrent: () => isCurrent });
    isCurrent = false;
    await until(() => connections[1]);
    expect(first.isEnded).to.equal(true);
    isCurrent = true;
    await listener.close();
  });
});
