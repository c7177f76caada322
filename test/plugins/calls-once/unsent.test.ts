import { expect } from 'chai';
import { apiVersion, definePlugin, type Kernel, ToolkitError } from '../../../kernel/index.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { guardOutbound } from '../../../plugins/guard-outbound/index.ts';
import { closedPort } from '../../support/closed-port.ts';
import { json, loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { testKernel } from '../../support/test-kernel.ts';

/** A plugin that delays the call "a" until its signal aborts, at a stage before or after that at which the intent is written. */
const held = (stage: number, onHeld: () => void) =>
  definePlugin({
    name: 'held',
    apiVersion,
    apply({ hooks }) {
      let isFirst = true;
      hooks.execute.for('*').tapPromise({ name: 'held', stage }, async ({ once }, { signal }) => {
        if (!isFirst || once !== 'a') return undefined;
        isFirst = false;
        setImmediate(onHeld);
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        throw signal.reason;
      });
    },
  })();

describe('calls whose request was not sent', () => {
  const send = (url: string, timeoutMs: number) => ({
    name: 'send',
    description: 'Sends.',
    risk: 'medium',
    execution: { type: 'http', method: 'post', url, timeout_ms: timeoutMs },
  });
  const kernelOf = (url: string, plugins: readonly ReturnType<typeof held>[] = [], timeoutMs = 60_000): Promise<Kernel> =>
    testKernel({
      tools: [send(url, timeoutMs)],
      plugins: [callsOnce(), executorHttp(), guardOutbound({ allowHosts: ['127.0.0.1'] }), ...plugins],
    });

  const cases: readonly { readonly title: string; readonly code: 'TIMEOUT' | 'ABORTED'; readonly abort?: true }[] = [
    { title: 'whose time was over', code: 'TIMEOUT' },
    { title: 'that their caller aborted', code: 'ABORTED', abort: true },
  ];
  for (const stage of [1000, 2500])
    for (const { title, code, abort } of cases)
      it(`run again: ${title} ${stage < 2000 ? 'before' : 'after'} its intent was written`, async () => {
        const { url, requests } = await loopback((_request, response) => json(response, { done: true }));
        const controller = new AbortController();
        const kernel = await kernelOf(url, [held(stage, () => abort && controller.abort())], code === 'TIMEOUT' ? 500 : 60_000);
        // Loads what the first request needs.
        await kernel.execute('send', {}, { once: 'b' }).catch(() => {});
        const sent = requests.length;
        const first = rejection(kernel.execute('send', {}, { once: 'a', signal: controller.signal }), code);
        await first;
        expect(await kernel.execute('send', {}, { once: 'a' })).to.deep.equal({ done: true });
        expect(requests.length - sent).to.equal(1);
      });

  it('run again: nobody was at the port', async () => {
    const kernel = await kernelOf(`http://127.0.0.1:${await closedPort()}/`);
    for (const _ of [1, 2]) await rejection(kernel.execute('send', {}, { once: 'a' }), 'UPSTREAM_UNAVAILABLE');
  });

  for (const [title, answers] of [
    ['its connection broke', ['broken']],
    ['it was redirected to a port where nobody is', ['redirected']],
  ] as const)
    it(`stay unknown when their request was sent: ${title}`, async () => {
      const closed = await closedPort();
      const { url, requests } = await loopback((_request, response) => {
        if (answers[0] === 'broken') return void response.destroy();
        response.writeHead(307, { location: `http://127.0.0.1:${closed}/` }).end();
      });
      const kernel = await kernelOf(url);
      await rejection(kernel.execute('send', {}, { once: 'a' }), 'UPSTREAM_UNAVAILABLE');
      await rejection(kernel.execute('send', {}, { once: 'a' }), 'OUTCOME_UNKNOWN');
      expect(requests).to.have.lengthOf(1);
    });

  it('stay unknown when a plugin sent the request in its own way', async () => {
    const own = definePlugin({
      name: 'own-transport',
      apiVersion,
      apply: ({ extend }) =>
        extend.fetch(() => async () => {
          throw new ToolkitError('UPSTREAM_UNAVAILABLE', 'The answer was lost.');
        }),
    });
    const kernel = await kernelOf('http://127.0.0.1/', [own()]);
    await rejection(kernel.execute('send', {}, { once: 'a' }), 'UPSTREAM_UNAVAILABLE');
    await rejection(kernel.execute('send', {}, { once: 'a' }), 'OUTCOME_UNKNOWN');
  });
});
