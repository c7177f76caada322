import path from 'node:path';
import { expect } from 'chai';
import { apiVersion, definePlugin } from '../../../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../../../plugins/executor-function/index.ts';
import { temporaryFolder } from '../../../../../support/temporary.ts';
import { echoTool } from '../../../../../support/test-kernel.ts';
import { ended, isRunning, pidsIn } from '../../../../executor-command/processes.ts';
import { type EventStream, type ServerEvent, until, type WireOptions, wireServer } from '../../../support/wire.ts';
import { WireClient } from '../../../support/wire-client.ts';
import { Hold, napTool } from '../../../support/wire-tools.ts';

const released = [{ type: 'text', text: 'released' }];
const isAnswer = ({ message }: ServerEvent): boolean => message?.id !== undefined;

/** A client in the middle of a call, which is run 0 of `hold`, and the id to come back with. */
async function calling(options: WireOptions = {}, more: Parameters<WireClient['startCall']>[2] = {}) {
  const hold = new Hold();
  const server = await wireServer(options, [hold.tool]);
  const client = await WireClient.open(server.port);
  const stream = await client.startCall('hold', {}, more);
  const run = await hold.run(0);
  const { id = '' } = await stream.first(() => true);
  return { server, hold, client, stream, run, id };
}

/** The stream of an event, once the server has noticed that its connection is gone. */
const back = (client: WireClient, id: string): Promise<EventStream> =>
  until(async () => {
    const stream = await client.listen(id);
    return stream.status === 409 ? undefined : stream;
  });

/** Lets the call end. Its answer is on its way before that of a later one. */
async function answered(client: WireClient, run: { release(): void }): Promise<void> {
  run.release();
  await client.call('echo', { text: 'a later call' });
}

describe('a client over HTTP that lost its connection in the middle of a call', () => {
  it('gets the answer that came meanwhile', async () => {
    const { client, stream, run, id } = await calling();
    await stream.drop();
    await answered(client, run);
    const again = await back(client, id);
    expect((await again.first(isAnswer)).message?.result?.content).to.deep.equal(released);
    expect(run.signal.aborted).to.equal(false);
  });

  it('gets the answer that comes once it is back, and the end of the stream', async () => {
    const { client, stream, run, id } = await calling();
    await stream.drop();
    const again = await back(client, id);
    run.release();
    expect((await again.first(isAnswer)).message?.result?.content).to.deep.equal(released);
    await again.end();
  });

  it('gets an answer that was there already and waited to leave', async () => {
    let isHeld = false;
    let wait = (): void => {};
    let leave = (): void => {};
    const waits = new Promise<void>((resolve) => {
      wait = resolve;
    });
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const slow = definePlugin({
      name: 'slow-record',
      apiVersion,
      apply: ({ extend }) =>
        extend.beforeAnswers(() => {
          if (!isHeld) return undefined;
          wait();
          return left;
        }),
    })();
    const { client, stream, run, id } = await calling({ more: [slow] });
    await stream.drop();
    isHeld = true;
    run.release();
    await waits;
    const again = await back(client, id);
    leave();
    expect((await again.first(isAnswer)).message?.result?.content).to.deep.equal(released);
    await again.end();
  });

  it('finds the end of the stream behind an answer that came meanwhile', async () => {
    const { client, stream, run, id } = await calling();
    await stream.drop();
    await answered(client, run);
    const again = await back(client, id);
    await again.first(isAnswer);
    await again.end();
  });

  it('gets what came after the event that it names, in order, and nothing of other streams', async () => {
    const { server, client, stream, run } = await calling({}, { _meta: { progressToken: 'steps' } });
    const listening = await client.listen();
    run.progress(1);
    const first = await stream.first(({ message }) => message?.params?.['progress'] === 1);
    await stream.drop();
    for (const progress of [2, 3]) run.progress(progress);
    await client.call('echo', { text: 'another stream' });
    await server.kernel.reload();
    run.release();
    const again = await back(client, first.id ?? '');
    await again.first(isAnswer);
    const seen = again.events.map(({ message }) => message?.params?.['progress'] ?? message?.result?.content);
    expect(seen).to.deep.equal([2, 3, released]);
    await listening.drop();
  });

  it('may lose it again', async () => {
    const { client, stream, run, id } = await calling();
    await stream.drop();
    await (await back(client, id)).drop();
    run.release();
    expect((await (await back(client, id)).first(isAnswer)).message?.result?.content).to.deep.equal(released);
  });

  it('keeps the call for as long as it has another connection', async () => {
    const hold = new Hold();
    const { port } = await wireServer({ resumeTimeoutMs: 300 }, [hold.tool]);
    const [connected, gone] = [await WireClient.open(port), await WireClient.open(port)];
    const listening = await connected.listen();
    const kept = await connected.startCall('hold');
    const { signal } = await hold.run(0);
    const lost = await gone.startCall('hold');
    await hold.run(1);
    await kept.drop();
    await lost.drop();
    await hold.cancelled(1);
    expect(signal.aborted).to.equal(false);
    await listening.drop();
    await hold.cancelled(0);
  });

  for (const id of ['call', 0]) {
    it(`loses the call when it does not come back, when its id is ${JSON.stringify(id)}`, async () => {
      const { hold, client, stream } = await calling({ resumeTimeoutMs: 100 }, { id });
      await stream.drop();
      await hold.cancelled(0);
      expect((await client.request('ping')).result).to.deep.equal({});
    });
  }

  it('leaves no program behind when it does not come back', async () => {
    const { port } = await wireServer({ resumeTimeoutMs: 100 }, [napTool]);
    const client = await WireClient.open(port);
    const file = path.join(await temporaryFolder(), 'pid');
    const nap = await client.startCall('nap', { file });
    const pids = await pidsIn(file);
    expect(pids.map(isRunning)).to.deep.equal([true]);
    await nap.drop();
    await ended(pids);
  });
});

describe('event ids over HTTP', () => {
  const strange = ['nope', '0', '-1', '99999', '1e0', '__proto__', '1x', '00000000.1', '00000000.1.1.IjEi'];
  for (const id of strange) {
    it(`are refused when nobody gave them: ${JSON.stringify(id)}`, async () => {
      const { port } = await wireServer();
      expect((await (await WireClient.open(port)).listen(id)).status).to.equal(400);
    });
  }

  it("of another session are unknown, or name an event of one's own", async () => {
    const { client, server, run, stream } = await calling();
    await client.call('echo', { text: 'a secret of this session' });
    run.release();
    const { id: last = '' } = await stream.first(isAnswer);
    const other = await WireClient.open(server.port);
    expect((await other.listen(last)).status).to.equal(400);
    const listening = await other.listen();
    const { id: own = '' } = await listening.first(() => true);
    await listening.drop();
    const [[ownLog = ''], [, newest = '', ...foreign]] = [own.split('.'), last.split('.')] as [string[], string[]];
    for (let number = 1; number <= Number(newest); number++) {
      for (const id of [`${ownLog}.${number}`, [ownLog, number, ...foreign].join('.')]) {
        const answer = await back(other, id);
        await other.request('ping');
        expect(JSON.stringify(answer.events)).to.not.include('secret');
        if (answer.status === 200) await answer.drop();
      }
    }
  });

  /** An answer that is the end of a stream: what is answered at once is not kept. */
  const bigAfterLine = (_: unknown, { logger }: FunctionContext): string => {
    logger.info('half of it');
    return 'x'.repeat(3 * 1024 * 1024);
  };

  const big = echoTool({ name: 'big', parameters: {}, execution: { type: 'function', handler: bigAfterLine } });

  it('whose events had to give way go on with a call that still runs', async () => {
    const hold = new Hold();
    const { port } = await wireServer({}, [big, hold.tool]);
    const client = await WireClient.open(port);
    const stream = await client.startCall('hold');
    const { id = '' } = await stream.first(() => true);
    await stream.drop();
    for (let times = 0; times < 2; times++) await client.call('big');
    const again = await back(client, id);
    (await hold.run(0)).release();
    expect((await again.first(isAnswer)).message?.result?.content).to.deep.equal(released);
  });

  for (const requestId of ['call', 7, 0]) {
    it(`whose answer had to give way are answered with an error for the request ${JSON.stringify(requestId)}`, async () => {
      const { port } = await wireServer({}, [big]);
      const client = await WireClient.open(port);
      const stream = await client.startCall('big', {}, { id: requestId });
      const { id = '' } = await stream.first(() => true);
      await stream.end();
      for (let times = 0; times < 2; times++) await client.call('big');
      const again = await back(client, id);
      const { message } = await again.first(isAnswer);
      expect([message?.id, message?.error?.code]).to.deep.equal([requestId, -32000]);
      expect(message?.error?.message).to.include('The answer to this request was lost');
      await again.end();
    });
  }

  it('of a request whose own id is too long to be carried are refused when its answer had to give way', async () => {
    const { port } = await wireServer({}, [big]);
    const client = await WireClient.open(port);
    const stream = await client.startCall('big', {}, { id: 'i'.repeat(200) });
    const { id = '' } = await stream.first(() => true);
    await stream.end();
    for (let times = 0; times < 2; times++) await client.call('big');
    expect((await back(client, id)).status).to.equal(400);
  });
});
