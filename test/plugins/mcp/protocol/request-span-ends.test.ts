import { expect } from 'chai';
import type { Kernel } from '../../../../kernel/index.ts';
import { callsLong } from '../../../../plugins/calls-long/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { secretsEnv } from '../../../../plugins/secrets-env/index.ts';
import { RecordingTracer } from '../../../support/recording-tracer.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { until } from '../../../support/until.ts';
import { connect, gate, handlerTool } from '../support/client.ts';
import { asks, ModernClient, type ModernOptions } from '../support/modern-client.ts';

const place = { traceparent: `00-${'4'.repeat(32)}-${'7'.repeat(16)}-01` };
const secret = 'planted-secret-value-of-the-tests';

interface World {
  readonly kernel: Kernel;
  readonly tracer: RecordingTracer;
  readonly started: Promise<void>;
  readonly finish: (result: string) => void;
}

/** A kernel with a tool `work` that ends by hand or by its signal, and may become a task, and one that asks. */
async function world(): Promise<World> {
  const tracer = new RecordingTracer();
  const started = gate();
  const finished = gate<string>();
  const work = async (_: never, { signal }: FunctionContext): Promise<unknown> => {
    started.open();
    const aborted = new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
    return Promise.race([finished.opened, aborted]);
  };
  const ask = async (_: never, { client }: FunctionContext): Promise<unknown> =>
    client.elicit?.({ message: 'Sure?', schema: { type: 'object', properties: { sure: { type: 'boolean' } } } });
  const nest = async (_: never, { tools }: FunctionContext): Promise<unknown> => (await tools.call('work', {})).output;
  const tools = [
    handlerTool(work, { name: 'work' }),
    handlerTool(work, { name: 'long', long: true, risk: 'low' }),
    handlerTool(nest, { name: 'nest', long: true, risk: 'low' }),
    handlerTool(ask, { name: 'ask' }),
  ];
  const kernel = await testKernel({ plugins: [tracer.plugin(), callsLong(), secretsEnv({ env: { API_TOKEN: secret } })], tools });
  await kernel.resolveSecrets(['API_TOKEN']);
  return { kernel, tracer, started: started.opened, finish: finished.open };
}

const takesTasks: ModernOptions = { capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } as never };

/** The spans, once all have ended. */
const ended = (tracer: RecordingTracer): Promise<readonly string[]> =>
  until(() => (tracer.spans.every(({ ends }) => ends.length > 0) ? tracer.tree() : undefined));

describe('the span of a request that is cancelled', () => {
  it('ends as cancelled: in a session', async () => {
    const { kernel, tracer, started } = await world();
    const { client } = await connect(kernel);
    const controller = new AbortController();
    client.callTool({ name: 'work' }, undefined, { signal: controller.signal }).catch(() => {});
    await started;
    controller.abort();
    expect((await ended(tracer)).slice(-2)).to.deep.equal(['tools/call work !cancelled', '  toolkit.stage execute !ABORTED']);
  });

  it('ends as cancelled: by a notification of 2026-07-28', async () => {
    const { kernel, tracer, started } = await world();
    const client = await ModernClient.connect(kernel);
    const id = client.start('tools/call', { name: 'work', arguments: {} });
    await started;
    client.send({ method: 'notifications/cancelled', params: { requestId: id } });
    expect(await ended(tracer)).to.deep.equal(['tools/call work !cancelled', '  toolkit.stage execute !ABORTED']);
  });

  it('ends as cancelled: by the end of its connection', async () => {
    const { kernel, tracer, started } = await world();
    const client = await ModernClient.connect(kernel);
    client.start('tools/call', { name: 'work', arguments: {} });
    await started;
    await client.close();
    expect((await ended(tracer))[0]).to.equal('tools/call work !cancelled');
  });
});

describe('the span of a call that becomes a task', () => {
  const begin = async (client: ModernClient, name: string): Promise<string> => {
    const created = await client.call(name, {}, { _meta: place });
    expect(created['resultType']).to.equal('task');
    return String(created['taskId']);
  };

  it('goes on with it, and ends with its result, in the trace of the client', async () => {
    const { kernel, tracer, started, finish } = await world();
    const client = await ModernClient.connect(kernel, takesTasks);
    const taskId = await begin(client, 'nest');
    await started;
    expect(tracer.only('tools/call nest').ends).to.deep.equal([]);
    finish('done');
    await until(async () => (await client.result('tasks/get', { taskId }))['status'] === 'completed' || undefined);
    expect((await ended(tracer)).filter((line) => !line.startsWith('tasks/get'))).to.deep.equal([
      'tools/call nest',
      '  execute_tool work',
      '    toolkit.stage execute',
      '  toolkit.stage execute',
    ]);
    expect(tracer.only('execute_tool work').traceId).to.equal('4'.repeat(32));
  });

  it('ends as cancelled with it', async () => {
    const { kernel, tracer, started } = await world();
    const client = await ModernClient.connect(kernel, takesTasks);
    const taskId = await begin(client, 'long');
    await started;
    await client.result('tasks/cancel', { taskId });
    await ended(tracer);
    expect(tracer.only('tools/call long').ends).to.deep.equal(['cancelled']);
    expect(tracer.only('tasks/cancel').ends).to.deep.equal([undefined]);
  });
});

describe('the span of a request that asks its client', () => {
  it('ends with the question, and the repeated request has one of its own', async () => {
    const { kernel, tracer } = await world();
    const client = await ModernClient.connect(kernel, { capabilities: { elicitation: {} } });
    const { requestState } = asks(await client.call('ask', {}, { _meta: place }));
    await client.call('ask', {}, { _meta: place, requestState, inputResponses: { question_1: { action: 'decline' } } });
    const roots = (await ended(tracer)).filter((line) => !line.startsWith(' '));
    expect(roots).to.deep.equal(['tools/call ask', 'tools/call ask']);
    expect(tracer.spans.map(({ traceId }) => traceId)).to.satisfy((ids: readonly string[]) => ids.every((id) => id === '4'.repeat(32)));
  });
});

describe('a request that lasts as long as its client', () => {
  it('has no span', async () => {
    const { kernel, tracer } = await world();
    const client = await ModernClient.connect(kernel);
    client.start('subscriptions/listen', { notifications: { toolsListChanged: true } });
    await client.heard('notifications/subscriptions/acknowledged');
    expect(tracer.spans).to.deep.equal([]);
  });
});

describe('the attributes of a request', () => {
  it('have no secret, also where a long text is cut within one', async () => {
    const { kernel, tracer } = await world();
    const client = await ModernClient.connect(kernel);
    const padding = 'x'.repeat(190);
    await client.ask('resources/read', { uri: `note:${padding}${secret}` });
    await client.answer(client.start('tools/list', {}, `${padding}${secret}`));
    const texts = JSON.stringify(tracer.spans.map(({ name, attributes }) => [name, attributes]));
    for (let length = 6; length <= secret.length; length++) expect(texts).to.not.include(secret.slice(0, length));
    const lengths = tracer.spans.flatMap(({ attributes }) => Object.values(attributes).map((value) => String(value).length));
    expect(Math.max(...lengths)).to.be.at.most(200);
  });

  it('have no argument and no result', async () => {
    const { kernel, tracer, finish } = await world();
    const client = await ModernClient.connect(kernel);
    finish('what-came-out');
    await client.call('work', { what: 'went-in' });
    expect(JSON.stringify(tracer.spans.map(({ name, attributes }) => [name, attributes]))).to.not.match(/went-in|what-came-out/);
  });
});

describe('the active span of a host', () => {
  it('is the parent of a request that names none, or names its trace', async () => {
    const { kernel, tracer } = await world();
    const client = await ModernClient.connect(kernel);
    const host = tracer.startWithin(undefined, 'POST /mcp', 'server');
    await host.run(() => client.ask('tools/list'));
    expect(tracer.tree()).to.deep.equal(['POST /mcp …', '  tools/list']);
  });
});
