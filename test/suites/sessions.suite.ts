import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { expect } from 'chai';
import { until } from '../e2e/program.ts';
import { send, token } from '../plugins/mcp/support/wire.ts';
import { initialize, open, WireClient } from '../plugins/mcp/support/wire-client.ts';
import { compiled } from '../support/compiled.ts';

/** A whole round (`npm run test:suite sessions:whole`) has a thousand. */
const sessions = Number(process.env['TOOLKIT_SESSIONS'] ?? 100);
const mebibyte = 1024 * 1024;
const idleMs = 3000;

interface Measure {
  readonly heapBytes: number;
  readonly sessions: number;
  readonly timers: number;
  /** Kinds of handles and requests that keep a process alive. */
  readonly handles: readonly string[];
  readonly descriptors: number;
}

describe('sessions that are opened and abandoned', () => {
  let server: ChildProcess;
  let port: number;

  before(async () => {
    const options = { mcpToken: token, maxSessions: sessions, sessionIdleMs: idleMs, resumeTimeoutMs: 1000, logLevel: 'warn' };
    server = fork(await compiled('test/suites/sessions-server.ts'), {
      execArgv: ['--expose-gc'],
      env: { PATH: process.env['PATH'] ?? '', SERVER_OPTIONS: JSON.stringify(options) },
      stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
    });
    const [started] = (await once(server, 'message')) as [{ port: number }];
    port = started.port;
  });

  after(async () => {
    server.kill('SIGKILL');
    await once(server, 'exit');
  });

  /** `passMs`: how much time passes for the server before. */
  async function measure(passMs = 0): Promise<Measure> {
    const answer = once(server, 'message') as Promise<[Measure]>;
    server.send(passMs);
    return (await answer)[0];
  }

  /** Opens all sessions, half of them with a stream and half with a running call, drops every connection, and waits for their end. */
  async function round(): Promise<Measure> {
    const streams: { drop(): Promise<void> }[] = [];
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    // No session is made for it.
    const refused = { body: JSON.stringify({ ...initialize, params: {} }) };
    for (let number = 0; number < sessions; number++) expect((await send(port, refused)).status).to.equal(400);
    const openSome = async (first: number): Promise<void> => {
      for (let number = first; number < sessions; number += 20) {
        const client = await WireClient.open(port);
        await client.request('tools/list', {}, agent);
        const stream = await (number % 2 === 0 ? client.listen() : client.startCall('wait'));
        expect(stream.status).to.equal(200);
        streams.push(stream);
      }
    };
    await Promise.all(Array.from({ length: 20 }, (_, first) => openSome(first)));
    expect((await open(port)).status).to.equal(503);
    expect((await measure()).sessions).to.be.at.least(sessions);
    agent.destroy();
    await Promise.all(streams.map((stream) => stream.drop()));
    return until(async () => {
      // Again, because a session rests from the moment in which the server sees that its connection is gone.
      const now = await measure(idleMs);
      return now.sessions === 0 && !now.handles.includes('TCPSocketWrap') ? now : undefined;
    });
  }

  it('leave nothing behind: no session, no handle, no descriptor, no memory', async () => {
    const first = await measure();
    const warm = await round();
    const rounds = [await round(), await round()];
    process.stdout.write(`${[first, warm, ...rounds].map((now) => `    ${JSON.stringify(now)}`).join('\n')}\n`);
    for (const now of rounds) {
      expect(now.timers).to.equal(warm.timers);
      expect(now.handles).to.deep.equal(warm.handles);
      expect(now.descriptors).to.equal(warm.descriptors);
      expect(now.heapBytes).to.be.below(warm.heapBytes + Math.max((3 * mebibyte * sessions) / 1000, warm.heapBytes * 0.05));
    }
  });
});
