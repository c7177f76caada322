import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { JobQueue } from '../../../plugins/engine-bullmq/job-queue.ts';
import { loadBullMq } from '../../../plugins/engine-bullmq/load-bullmq.ts';
import { PostgresHosts } from '../../../plugins/shared/state/postgres-hosts.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { closedPort } from '../../support/closed-port.ts';
import { rejection } from '../../support/rejection.ts';

/** Returns a message of PostgreSQL's protocol. */
function message(type: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const zeros = (count: number): Buffer => Buffer.alloc(count);
const ready = message('Z', 'I');

/** Rejects a login, or says why no login is possible. */
const fatal = (code: string, text: string): Buffer => message('E', `SFATAL\0VFATAL\0C${code}\0M${text}\0\0`);

/** Answers of a server that accepts the login, and answers each statement with a row of one column with `value`. */
function answerWith(value: string): (socket: Socket) => void {
  const text = Buffer.from([0, 1, 0, 0, 0, value.length]);
  const columns = message('T', Buffer.from([0, 1]), 'value\0', zeros(6), Buffer.from([0, 0, 0, 25, 0xff, 0xff]), zeros(6));
  const row = Buffer.concat([columns, message('D', text, value), message('C', 'SELECT 1\0'), ready]);
  return (socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', zeros(4)), ready]));
      socket.on('data', () => socket.write(row));
    });
  };
}

const reject = (answer: Buffer) => (socket: Socket) => void socket.once('data', () => socket.end(answer));

describe('the servers of a URL that engine-bullmq connects to', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** Returns the address of a server that counts its connections. */
  async function listen(answer: (socket: Socket) => void): Promise<{ readonly host: string; readonly connections: () => number }> {
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.on('error', () => {});
      answer(socket);
    });
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as { readonly port: number };
    return { host: `127.0.0.1:${port}`, connections: () => connections };
  }

  /** A server that is asked, and of which the error is known. */
  const primary = () => listen(reject(fatal('3D000', 'the primary was asked')));

  async function connect(...hosts: readonly string[]) {
    const url = `postgresql://ada:not-for-logs@${hosts.join(',')}/toolkit?target_session_attrs=read-write`;
    const list = new PostgresHosts(url);
    const queue = new JobQueue('set', { bullmq: loadBullMq, url, hosts: list, logger: memoryLogger() });
    try {
      return { error: await rejection(queue.open(), 'STATE_UNAVAILABLE'), current: list.current };
    } finally {
      await queue.close();
    }
  }

  const unusable = {
    'answers that it is read-only': () => listen(answerWith('on')),
    'is starting': () => listen(reject(fatal('57P03', 'the database system is starting up'))),
    'closes the connection': () => listen((socket) => socket.destroy()),
  };

  for (const [title, open] of Object.entries(unusable))
    it(`goes on to the next server when the first one ${title}`, async () => {
      const [first, second] = [await open(), await primary()];
      const { error, current } = await connect(first.host, second.host);
      expect(error.message).to.include('the primary was asked').and.include(`${first.host},${second.host}`).and.not.include('not-for-logs');
      expect(current).to.include(second.host).and.not.include(first.host);
      expect([first.connections(), second.connections()]).to.deep.equal([1, 1]);
    });

  it('goes on to the next server when nothing listens at the first one', async () => {
    const second = await primary();
    const { error } = await connect(`127.0.0.1:${await closedPort()}`, second.host);
    expect(error.message).to.include('the primary was asked');
  });

  it('asks each server, and the first one twice, before it gives up', async () => {
    const [first, second] = [await listen(answerWith('on')), await listen(answerWith('on'))];
    expect((await connect(first.host, second.host)).error.message).to.include('the server is read-only');
    expect([first.connections(), second.connections()]).to.deep.equal([2, 1]);
  });

  it('asks a single server once, and says that it is read-only', async () => {
    const only = await listen(answerWith('on'));
    expect((await connect(only.host)).error.message)
      .to.include('the server is read-only')
      .and.include('Name the server that writes');
    expect(only.connections()).to.equal(1);
  });
});
