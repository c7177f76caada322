import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import type { CallClient, ContentPart } from '../../kernel/index.ts';
import { credentialsPlaceholder } from '../../plugins/credentials-placeholder/index.ts';
import type { FunctionContext } from '../../plugins/executor-function/index.ts';
import { rejection } from '../support/rejection.ts';
import { echoTool, testKernel } from '../support/test-kernel.ts';
import { until } from '../support/until.ts';

const token = 'tok-0123456789abcdef';

/** A tool that has a secret and runs `handler` with its context. */
const asking = (handler: (context: FunctionContext) => unknown, more: Readonly<Record<string, unknown>> = {}) => ({
  ...echoTool(),
  secrets: ['API_TOKEN'],
  execution: { type: 'function', handler: (_parameters: unknown, context: FunctionContext) => handler(context) },
  ...more,
});

describe('the client of a call', () => {
  it('has nothing to offer where the host gives none', async () => {
    const kernel = await testKernel({ tools: [{ ...asking(({ client }) => Object.keys(client)), secrets: [] }] });
    expect(await kernel.execute('echo')).to.deep.equal([]);
  });

  it('never gets to see a secret, in a question, a request for a text or a log line', async () => {
    const sent: unknown[] = [];
    const client: CallClient = {
      elicit: async (question) => {
        sent.push(question);
        return { action: 'decline' };
      },
      sample: async (request) => {
        sent.push(request);
        return { content: { type: 'text', text: 'ok' }, model: 'm' };
      },
      log: (...line) => void sent.push(line),
    };
    const handler = async ({ client: mine, secrets, logger }: FunctionContext) => {
      const text = `is ${secrets['API_TOKEN']} right?`;
      await mine.elicit?.({ message: text, schema: { type: 'object', properties: {} } });
      await mine.sample?.({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 1 });
      logger.info(text, { cause: new Error(text) });
      return null;
    };
    const kernel = await testKernel({ tools: [asking(handler)], plugins: [credentialsPlaceholder()] });
    await kernel.execute('echo', {}, { client, credentials: { API_TOKEN: token } });
    const text = 'is [secret API_TOKEN] right?';
    expect(sent).to.deep.equal([
      { message: text, schema: { type: 'object', properties: {} } },
      { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 1 },
      ['info', text, { cause: { name: 'Error', message: text } }],
    ]);
  });

  it('gets the address to open as it is, and no secret in the reason for it', async () => {
    const sent: unknown[] = [];
    const client: CallClient = {
      elicitUrl: async (request) => {
        sent.push(request);
        return { action: 'accept', complete: () => {} };
      },
    };
    const url = `https://tools.example/connect/${token}`;
    const handler = async ({ client: mine, secrets }: FunctionContext) =>
      (await mine.elicitUrl?.({ message: `is ${secrets['API_TOKEN']} right?`, url, elicitationId: 'login' }))?.action;
    const kernel = await testKernel({ tools: [asking(handler)], plugins: [credentialsPlaceholder()] });
    expect(await kernel.execute('echo', {}, { client, credentials: { API_TOKEN: token } })).to.equal('accept');
    expect(sent).to.deep.equal([{ message: 'is [secret API_TOKEN] right?', url, elicitationId: 'login' }]);
  });

  it('keeps nothing of a call, although it goes on listening to its end', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const asked: WeakRef<AbortSignal>[] = [];
    const client: CallClient = {
      elicit: async (_question, signal) => {
        signal?.addEventListener('abort', () => {});
        if (signal !== undefined) asked.push(new WeakRef(signal));
        return { action: 'decline' };
      },
    };
    const handler = ({ client: mine }: FunctionContext) => mine.elicit?.({ message: 'sure?', schema: { type: 'object' } });
    const kernel = await testKernel({ tools: [{ ...asking(handler), secrets: [] }] });
    for (let call = 0; call < 3; call++) await kernel.execute('echo', {}, { client });
    expect(asked).to.have.length(3);
    await until(() => {
      collect();
      return asked.every((signal) => signal.deref() === undefined) || undefined;
    });
  });

  it('hears that the call was cancelled while it asks', async () => {
    const cancelling = new AbortController();
    const client: CallClient = {
      elicit: (_question, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('no longer asked')));
          cancelling.abort();
        }),
    };
    const handler = ({ client: mine }: FunctionContext) => mine.elicit?.({ message: 'sure?', schema: { type: 'object' } });
    const kernel = await testKernel({ tools: [{ ...asking(handler), secrets: [] }] });
    await rejection(kernel.execute('echo', {}, { client, signal: cancelling.signal }), 'ABORTED');
  });
});

describe('the content of a result', () => {
  const wrong = [
    { title: 'a type that no host knows', part: { type: 'video', data: '', mimeType: 'video/mp4' } },
    { title: 'data that is not base64', part: { type: 'image', data: '<svg>', mimeType: 'image/png' } },
    { title: 'a link without a name', part: { type: 'resource_link', uri: 'file:///a' } },
    { title: 'a resource with neither text nor blob', part: { type: 'resource', resource: { uri: 'file:///a' } } },
  ];
  for (const { title, part } of wrong) {
    it(`is refused with ${title}`, async () => {
      const handler = ({ withContent }: FunctionContext) => withContent(null, [part as ContentPart]);
      const kernel = await testKernel({ tools: [{ ...asking(handler), secrets: [] }] });
      const error = await rejection(kernel.execute('echo'), 'OUTPUT_INVALID');
      expect(error.message).to.match(/The content in the result of "echo" is invalid: content\[0\]/);
    });
  }
});
