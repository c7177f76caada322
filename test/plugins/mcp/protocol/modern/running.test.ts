import { expect } from 'chai';
import { echoTool, testKernel } from '../../../../support/test-kernel.ts';
import { until } from '../../../../support/until.ts';
import { handlerTool, source } from '../../support/client.ts';
import { ModernClient } from '../../support/modern-client.ts';
import { initialize } from '../../support/wire-client.ts';
import { Hold } from '../../support/wire-tools.ts';

const cancelled = (requestId: unknown) => ({ method: 'notifications/cancelled', params: { requestId } });
const hold = (token?: string) => ({ name: 'hold', ...(token === undefined ? {} : { _meta: { progressToken: token } }) });

async function holding(): Promise<{ client: ModernClient; running: Hold }> {
  const running = new Hold();
  return { client: await ModernClient.connect(await testKernel({ tools: [echoTool(), running.tool] })), running };
}

describe('a request of 2026-07-28 that runs', () => {
  it('tells of its progress with the token that it was given, and of nothing after its answer', async () => {
    const { client, running } = await holding();
    const id = client.start('tools/call', hold('p'));
    const silent = client.start('tools/call', hold());
    const [run, other] = [await running.run(0), await running.run(1)];
    other.progress(1);
    for (const value of [1, 2]) run.progress(value);
    run.release();
    other.release();
    await Promise.all([client.answer(id), client.answer(silent)]);
    run.progress(3);
    expect(client.notifications('notifications/progress')).to.deep.equal([
      { progressToken: 'p', progress: 1 },
      { progressToken: 'p', progress: 2 },
    ]);
  });

  for (const [level, wanted] of [
    [undefined, []],
    ['error', ['error']],
    ['info', ['info', 'warning', 'error']],
    ['debug', ['debug', 'info', 'warning', 'error']],
  ] as const)
    it(`tells log lines from ${level ?? 'no level'} on`, async () => {
      const says = handlerTool((_, { logger }) => {
        logger.debug('a');
        logger.info('b');
        logger.warn('c');
        logger.error('d');
      });
      const client = await ModernClient.connect(await testKernel({ tools: [says] }));
      const _meta = level === undefined ? {} : { 'io.modelcontextprotocol/logLevel': level };
      await client.call(says['name'] as string, {}, { _meta });
      expect(client.notifications('notifications/message').map((line) => line['level'])).to.deep.equal(wanted);
    });

  it('ends when its client cancels it, without an answer, and others go on', async () => {
    const { client, running } = await holding();
    const ids = [client.start('tools/call', hold()), client.start('tools/call', hold())];
    const second = await running.run(1);
    client.send(cancelled(ids[0]));
    await running.cancelled(0);
    expect(second.signal.aborted).to.equal(false);
    second.release();
    await client.answer(ids[1] as number);
    await client.call('echo', { text: 'x' });
    expect(client.sent.filter(({ id }) => id === ids[0])).to.deep.equal([]);
  });

  for (const [what, wrong] of [
    ['another id', 99],
    ['its id as a word', '1'],
    ['no id', undefined],
    ['null', null],
  ] as const)
    it(`goes on when ${what} is cancelled`, async () => {
      const { client, running } = await holding();
      const id = client.start('tools/call', hold());
      const run = await running.run(0);
      client.send(cancelled(wrong));
      await client.call('echo', { text: 'x' });
      expect(run.signal.aborted).to.equal(false);
      run.release();
      expect(await client.answer(id)).to.have.property('result');
    });

  it('ends with the connection', async () => {
    const { client, running } = await holding();
    client.start('tools/call', hold());
    client.start('tools/call', hold());
    await running.run(1);
    await client.close();
    await Promise.all([running.cancelled(0), running.cancelled(1)]);
    expect(client.sent.filter(({ id }) => id !== undefined)).to.deep.equal([]);
  });

  it('shares its wire with a session: each is answered as its era wants, and neither ends the other', async () => {
    const { client, running } = await holding();
    client.send(initialize);
    expect((await client.answer(initialize.id)).result).to.have.property('protocolVersion', '2025-11-25');
    client.send({ method: 'notifications/initialized' });
    const modern = client.start('tools/call', hold(), 'modern');
    const first = await running.run(0);
    client.send({ id: 'session', method: 'tools/call', params: { name: 'hold' } });
    const second = await running.run(1);
    client.send(cancelled('session'));
    await until(() => first.signal.aborted || second.signal.aborted || undefined);
    expect(first.signal.aborted).to.equal(false);
    first.release();
    expect((await client.answer(modern)).result).to.have.property('resultType', 'complete');
    client.send({ id: 'later', method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' } } });
    expect((await client.answer('later')).result).to.not.have.property('resultType');
  });
});

describe('subscriptions/listen on a wire that others use too', () => {
  it('tells what it was asked for until it is cancelled, and is not answered then', async () => {
    let times = 0;
    const growing = source((sink) => {
      for (let index = 0; index < times; index++) sink.addTool(echoTool({ name: `more_${index}` }), { trust: 'operator' });
      times++;
    });
    const kernel = await testKernel({ tools: [echoTool()], plugins: [growing] });
    const client = await ModernClient.connect(kernel);
    const id = client.start('subscriptions/listen', { notifications: { toolsListChanged: true } });
    await client.heard('notifications/subscriptions/acknowledged');
    await kernel.reload();
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
    expect(await client.heard('notifications/tools/list_changed')).to.deep.equal({ _meta });
    client.send(cancelled(id));
    await client.call('echo', { text: 'x' });
    await kernel.reload();
    await client.call('echo', { text: 'x' });
    expect(client.notifications('notifications/tools/list_changed')).to.have.length(1);
    expect(client.sent.filter((message) => message.id === id)).to.deep.equal([]);
  });
});
