import { Agent } from 'node:http';
import { expect } from 'chai';
import sinon from 'sinon';
import { apiVersion, definePlugin } from '../../../../../../kernel/index.ts';
import { gate } from '../../../support/client.ts';
import { get, noToken, serving, text } from '../../../support/route-server.ts';
import { dispatch, send, startServer, until } from '../../../support/wire.ts';

describe('a request to the route of a plugin', () => {
  it('hears that its client is gone', async () => {
    const [begun, gone] = [gate(), gate()];
    const { port } = await serving({
      '/slow': ({ signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => gone.open());
          begun.open();
        }),
    });
    const agent = new Agent({ keepAlive: true });
    const answer = dispatch(port, { method: 'GET', path: '/slow', agent }).catch(() => 'broken');
    await begun.opened;
    agent.destroy();
    await gone.opened;
    expect(await answer).to.equal('broken');
  });

  it('is given up after its time limit', async () => {
    const begun = gate<AbortSignal>();
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { port } = await serving({
        '/slow': ({ signal }) => {
          begun.open(signal);
          return new Promise(() => {});
        },
      });
      const answer = get(port, '/slow');
      const signal = await begun.opened;
      clock.tick(29_999);
      expect(signal.aborted).to.equal(false);
      clock.tick(1);
      expect(signal.aborted).to.equal(true);
      expect((await answer).status).to.equal(503);
    } finally {
      clock.restore();
    }
  });

  it('runs a hundred times at once at most', async () => {
    const release = gate();
    let running = 0;
    const { port } = await serving({
      '/slow': async () => {
        running++;
        await release.opened;
        return { status: 200, body: 'done' };
      },
    });
    const answers = Array.from({ length: 100 }, () => get(port, '/slow'));
    await until(() => running === 100 || undefined);
    const refused = await get(port, '/slow');
    expect([refused.status, refused.headers['retry-after']]).to.deep.equal([503, '1']);
    release.open();
    expect(new Set((await Promise.all(answers)).map(({ body }) => body))).to.deep.equal(new Set(['done']));
    expect((await get(port, '/slow')).body).to.equal('done');
  });

  it('has connections that count as those without a token', async () => {
    const { port, kernel } = await serving({ '/hello': text('hello') }, { maxUnauthenticated: 1 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const closed = gate();
    agent.on('free', (socket) => socket.once('close', () => closed.open()));
    const first = await send(port, { method: 'GET', path: '/hello', headers: noToken, agent });
    expect(first.body).to.equal('hello');
    expect(kernel.status()['sessions']).to.have.property('unproven', 1);
    // The next stranger closes it.
    expect((await get(port, '/hello')).body).to.equal('hello');
    await closed.opened;
    agent.destroy();
  });

  it('ends before the server does', async () => {
    const [begun, release] = [gate(), gate()];
    const pages = definePlugin({
      name: 'pages',
      apiVersion,
      apply: ({ extend }) => {
        extend.httpRoute({
          path: '/slow',
          handle: async () => {
            begun.open();
            await release.opened;
            return { status: 200, body: 'done' };
          },
        });
      },
    })();
    const { port, kernel } = await startServer({ more: [pages] });
    const answer = get(port, '/slow');
    await begun.opened;
    const closing = kernel.close();
    release.open();
    expect((await answer).body).to.equal('done');
    await closing;
  });
});
