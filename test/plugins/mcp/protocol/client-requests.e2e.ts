import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type ClientCapabilities,
  CreateMessageRequestSchema,
  type CreateMessageResult,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import sinon from 'sinon';
import type { CallClient, Question } from '../../../../kernel/index.ts';
import { mcp } from '../../../../plugins/mcp/index.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { type Connected, connect, failure, gate, handlerTool, quiet, textOf } from '../support/client.ts';

const question: Question = {
  message: 'Which size?',
  schema: { type: 'object', properties: { size: { type: 'integer', minimum: 1 } }, required: ['size'] },
};

/** A client that answers questions this way, with a tool `it` that asks one and gives the answer. */
async function asked(answer: (request: unknown) => ElicitResult | Promise<ElicitResult>, ask = question): Promise<Connected> {
  const tool = handlerTool((_, { client }) => client.elicit?.(ask) ?? 'nobody to ask');
  const connected = await connect(await testKernel({ tools: [tool] }), { capabilities: { elicitation: {} } });
  connected.client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params));
  return connected;
}

/** How a promise has ended once all that is on its way has come. */
async function stateOf(promise: Promise<unknown>, { client }: Connected): Promise<'open' | 'fulfilled' | 'rejected'> {
  let state: 'open' | 'fulfilled' | 'rejected' = 'open';
  promise.then(
    () => (state = 'fulfilled'),
    () => (state = 'rejected'),
  );
  await quiet(client);
  return state;
}

describe('a question to the person who uses the client', () => {
  const answers: { answer: ElicitResult; expected: object }[] = [
    { answer: { action: 'accept', content: { size: 4 } }, expected: { action: 'accept', content: { size: 4 } } },
    { answer: { action: 'decline' }, expected: { action: 'decline' } },
    { answer: { action: 'cancel' }, expected: { action: 'cancel' } },
  ];
  for (const { answer, expected } of answers) {
    it(`is answered with ${answer.action}`, async () => {
      const seen: unknown[] = [];
      const { call } = await asked((request) => {
        seen.push(request);
        return answer;
      });
      expect(JSON.parse(textOf(await call('it')))).to.deep.equal(expected);
      expect(seen).to.deep.equal([{ message: 'Which size?', requestedSchema: question.schema }]);
    });
  }

  const capabilities: { given: ClientCapabilities; can: boolean }[] = [
    { given: {}, can: false },
    { given: { sampling: {} }, can: false },
    { given: { elicitation: { url: {} } }, can: false },
    { given: { elicitation: {} }, can: true },
    { given: { elicitation: { form: {} } }, can: true },
    { given: { elicitation: { form: {}, url: {} } }, can: true },
  ];
  for (const { given, can } of capabilities) {
    it(`can${can ? '' : 'not'} be asked of a client with ${JSON.stringify(given)}`, async () => {
      const tool = handlerTool((_, { client }) => ({ can: client.elicit !== undefined }));
      const { call } = await connect(await testKernel({ tools: [tool] }), { capabilities: given });
      expect(JSON.parse(textOf(await call('it')))).to.deep.equal({ can });
    });
  }

  it('fails when the client fails', async () => {
    const { call } = await asked(() => Promise.reject(new Error('no screen')));
    expect(failure(await call('it'), 'EXECUTION_FAILED')['message']).to.include('no screen');
  });

  it('fails when the answer does not fit the question', async () => {
    const { call } = await asked(() => ({ action: 'accept', content: { size: 'large' } }));
    expect(failure(await call('it'), 'EXECUTION_FAILED')['message']).to.include('size');
  });

  it('may take minutes', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const reply = gate<ElicitResult>();
      const arrived = gate();
      const tool = handlerTool((_, { client }) => client.elicit?.(question));
      const slow = { ...tool, execution: { ...(tool['execution'] as object), timeout_ms: 900_000 } };
      const { client, call } = await connect(await testKernel({ tools: [slow] }), { capabilities: { elicitation: {} } });
      client.setRequestHandler(ElicitRequestSchema, () => {
        arrived.open();
        return reply.opened;
      });
      const result = call('it', {}, { timeout: 1_000_000 });
      await arrived.opened;
      await clock.tickAsync(600_000);
      reply.open({ action: 'decline' });
      expect(JSON.parse(textOf(await result))).to.deep.equal({ action: 'decline' });
    } finally {
      clock.restore();
    }
  });

  /** A call that waits for an answer which never comes. */
  async function waiting(timeout_ms = 60_000) {
    const [started, arrived, own] = [gate<{ answer: Promise<unknown> }>(), gate(), new AbortController()];
    const handler = async (_: never, { client }: { client: CallClient }) => {
      const answer = Promise.resolve(client.elicit?.(question));
      started.open({ answer });
      return (await answer.catch(() => undefined)) ?? 'ended';
    };
    const tool = { ...handlerTool(() => null), execution: { type: 'function', handler, timeout_ms } };
    const connected = await connect(await testKernel({ tools: [tool] }), { capabilities: { elicitation: {} } });
    connected.client.setRequestHandler(ElicitRequestSchema, () => {
      arrived.open();
      return new Promise(() => {});
    });
    const result = connected.call('it', {}, { signal: own.signal });
    result.catch(() => {});
    const { answer } = await started.opened;
    await arrived.opened;
    return { ...connected, answer, result, cancel: () => own.abort() };
  }

  it('ends when the call is cancelled, and the client is told', async () => {
    const call = await waiting();
    call.cancel();
    expect(await stateOf(call.answer, call)).to.equal('rejected');
    expect(await call.heard('notifications/cancelled')).to.have.length(1);
  });

  it('ends when the time of the call is over, and the client is told', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const call = await waiting(20);
      clock.tick(20);
      failure(await call.result, 'TIMEOUT');
      expect(await stateOf(call.answer, call)).to.equal('rejected');
      expect(await call.heard('notifications/cancelled')).to.have.length(1);
    } finally {
      clock.restore();
    }
  });

  it('ends when the call ends without waiting for it', async () => {
    const asking = gate<{ answer: Promise<unknown> }>();
    const tool = handlerTool((_, { client }) => {
      const answer = Promise.resolve(client.elicit?.(question));
      answer.catch(() => {});
      asking.open({ answer });
      return 'done';
    });
    const connected = await connect(await testKernel({ tools: [tool] }), { capabilities: { elicitation: {} } });
    connected.client.setRequestHandler(ElicitRequestSchema, () => new Promise(() => {}));
    expect(textOf(await connected.call('it'))).to.equal('done');
    expect(await stateOf((await asking.opened).answer, connected)).to.equal('rejected');
  });

  it('ends with a signal of its own while the call goes on', async () => {
    const own = new AbortController();
    const tool = handlerTool(async (_, { client }) => (await client.elicit?.(question, own.signal).catch(() => 'gave up')) ?? 'nobody');
    const { client, call } = await connect(await testKernel({ tools: [tool] }), { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => {
      own.abort();
      return new Promise(() => {});
    });
    expect(textOf(await call('it'))).to.equal('gave up');
  });

  it('may be asked by a tool that a tool calls', async () => {
    const inner = handlerTool((_, { client }) => client.elicit?.(question), { name: 'inner' });
    const outer = handlerTool(async (_, { tools }) => (await tools.call('inner', {})).output);
    const { client, call } = await connect(await testKernel({ tools: [inner, outer] }), { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }));
    expect(JSON.parse(textOf(await call('it')))).to.deep.equal({ action: 'decline' });
  });
});

describe('a request to the model of the client', () => {
  const request = { messages: [{ role: 'user', content: { type: 'text', text: 'Sum it up.' } }], maxTokens: 50, systemPrompt: 'Be short.' };
  const written: CreateMessageResult = {
    role: 'assistant',
    model: 'm-1',
    content: { type: 'text', text: 'Short.' },
    stopReason: 'endTurn',
  };
  const tool = handlerTool(async (_, { client }) => (await client.sample?.(request as never)) ?? 'no model');

  it('is answered with its text', async () => {
    const seen: unknown[] = [];
    const { client, call } = await connect(await testKernel({ tools: [tool] }), { capabilities: { sampling: {} } });
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
      seen.push(params);
      return written;
    });
    const { role: _role, ...sample } = written;
    expect(JSON.parse(textOf(await call('it')))).to.deep.equal(sample);
    expect(seen).to.deep.equal([request]);
  });

  it('cannot be made to a client without that capability', async () => {
    const { call } = await connect(await testKernel({ tools: [tool] }), { capabilities: { elicitation: {} } });
    expect(textOf(await call('it'))).to.equal('no model');
  });

  it('fails when the client refuses', async () => {
    const { client, call } = await connect(await testKernel({ tools: [tool] }), { capabilities: { sampling: {} } });
    client.setRequestHandler(CreateMessageRequestSchema, () => Promise.reject(new Error('the person said no')));
    expect(failure(await call('it'), 'EXECUTION_FAILED')['message']).to.include('the person said no');
  });

  it('ends when the call is cancelled, and the client is told', async () => {
    const cancel = new AbortController();
    const { client, call, heard } = await connect(await testKernel({ tools: [tool] }), { capabilities: { sampling: {} } });
    client.setRequestHandler(CreateMessageRequestSchema, () => {
      cancel.abort();
      return new Promise(() => {});
    });
    await call('it', {}, { signal: cancel.signal }).catch(() => {});
    expect(await heard('notifications/cancelled')).to.have.length(1);
  });
});

describe('what a call sends over HTTP', () => {
  it('comes while the call runs: log lines, progress and a question', async () => {
    const tool = handlerTool(async (_, { logger, progress, client }) => {
      logger.warn('half full');
      progress('asks');
      return client.elicit?.(question);
    });
    const kernel = await testKernel({ tools: [tool], plugins: [mcp({ transport: 'http', port: 0, mcpToken: 'the-token' })] });
    const [server] = await kernel.serve();
    const requestInit = { headers: { authorization: 'Bearer the-token' } };
    const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: { elicitation: {} } });
    const heard: string[] = [];
    client.fallbackNotificationHandler = async ({ method }) => void heard.push(method);
    client.setRequestHandler(ElicitRequestSchema, () => {
      heard.push('elicitation/create');
      return { action: 'accept', content: { size: 2 } };
    });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(server?.url ?? ''), { requestInit }) as Parameters<Client['connect']>[0],
    );
    try {
      const onprogress = () => void heard.push('notifications/progress');
      const result = await client.callTool({ name: 'it', arguments: {} }, undefined, { onprogress });
      expect(JSON.parse(textOf(result as never))).to.deep.equal({ action: 'accept', content: { size: 2 } });
      expect(heard).to.deep.equal(['notifications/message', 'notifications/progress', 'elicitation/create']);
    } finally {
      await client.close();
    }
  });
});
