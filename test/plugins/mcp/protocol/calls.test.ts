import { expect } from 'chai';
import { ToolkitError } from '../../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../../plugins/credentials-placeholder/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { secretsEnv } from '../../../../plugins/secrets-env/index.ts';
import { loopback } from '../../../support/loopback.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { suiteKernel } from '../../executor-function/function-kernel.ts';
import { connect, failure, gate, type Handler, handlerTool, textOf } from '../support/client.ts';

const pixel = 'iVBORw0KGgo=';
const runtimes = ['javascript', 'thread', 'python'] as const;

/** Tools that show the parts they are given. */
const showing = {
  files: {
    'show.mjs': 'export const show = ({ value }, context) => context.withContent({ plain: true }, value);',
    'show.py': 'def show(parameters, context):\n    return context.with_content({"plain": True}, parameters["value"])\n',
  },
  tools: { javascript: './show.mjs#show', thread: { code: './show.mjs#show', worker: true }, python: './show.py#show' },
  definition: { output_schema: { type: 'object', properties: { plain: { type: 'boolean' } } } },
};

describe('tools/call: content', () => {
  const suite = suiteKernel(showing);

  const kinds: { kind: string; part: Readonly<Record<string, unknown>> }[] = [
    { kind: 'a text', part: { type: 'text', text: 'Grüße' } },
    { kind: 'an image', part: { type: 'image', data: pixel, mimeType: 'image/png' } },
    { kind: 'a sound', part: { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' } },
    { kind: 'a text resource', part: { type: 'resource', resource: { uri: 'notes://1', mimeType: 'text/plain', text: 'a note' } } },
    { kind: 'a binary resource', part: { type: 'resource', resource: { uri: 'notes://2', blob: pixel } } },
    { kind: 'a link', part: { type: 'resource_link', uri: 'https://example.org/x', name: 'x' } },
    {
      kind: 'a link with all that can be said of it',
      part: { type: 'resource_link', uri: 'file:///x', name: 'x', title: 'X', description: 'An x.', mimeType: 'text/x', size: 7 },
    },
  ];
  for (const runtime of runtimes) {
    for (const { kind, part } of kinds) {
      it(`from ${runtime} shows ${kind}`, async () => {
        const { call } = await connect(suite.kernel);
        const { content, structuredContent, isError } = await call(runtime, { value: [part] });
        expect({ content, structuredContent, isError }).to.deep.equal({
          content: [part],
          structuredContent: { plain: true },
          isError: undefined,
        });
      });
    }

    it(`from ${runtime} shows several parts in their order, and none`, async () => {
      const { call } = await connect(suite.kernel);
      const parts = kinds.map(({ part }) => part);
      expect((await call(runtime, { value: parts })).content).to.deep.equal(parts);
      expect((await call(runtime, { value: [] })).content).to.deep.equal([]);
    });
  }

  const malformed: { what: string; value: unknown }[] = [
    { what: 'no list', value: { type: 'text', text: 'x' } },
    { what: 'null', value: null },
    { what: 'a part that is no object', value: ['x'] },
    { what: 'an unknown type', value: [{ type: 'video', data: pixel, mimeType: 'video/mp4' }] },
    { what: 'a text without text', value: [{ type: 'text' }] },
    { what: 'a number as text', value: [{ type: 'text', text: 7 }] },
    { what: 'a key too many', value: [{ type: 'text', text: 'x', html: '<b>' }] },
    { what: 'an image without a type', value: [{ type: 'image', data: pixel }] },
    { what: 'a media type without a slash', value: [{ type: 'image', data: pixel, mimeType: 'png' }] },
    { what: 'data that is not base64', value: [{ type: 'image', data: 'not base64!', mimeType: 'image/png' }] },
    { what: 'base64 of an impossible length', value: [{ type: 'image', data: 'iVBOR', mimeType: 'image/png' }] },
    { what: 'base64 with too much padding', value: [{ type: 'audio', data: 'iVBORw=', mimeType: 'audio/wav' }] },
    { what: 'a resource with text and blob', value: [{ type: 'resource', resource: { uri: 'a:b', text: 'x', blob: pixel } }] },
    { what: 'a resource without content', value: [{ type: 'resource', resource: { uri: 'a:b' } }] },
    { what: 'a resource without a URI', value: [{ type: 'resource', resource: { text: 'x' } }] },
    { what: 'a link without a name', value: [{ type: 'resource_link', uri: 'a:b' }] },
    { what: 'a link to no URI', value: [{ type: 'resource_link', uri: '/etc/passwd', name: 'x' }] },
    { what: 'a size below zero', value: [{ type: 'resource_link', uri: 'a:b', name: 'x', size: -1 }] },
    { what: 'one bad part after a good one', value: [{ type: 'text', text: 'x' }, { type: 'text' }] },
  ];
  for (const { what, value } of malformed) {
    it(`that is wrong is refused: ${what}`, async () => {
      const { call } = await connect(suite.kernel);
      for (const runtime of runtimes) {
        const { message } = failure(await call(runtime, { value }), 'OUTPUT_INVALID');
        expect(message, runtime).to.match(new RegExp(`^The content in the result of "${runtime}" is invalid: content`));
      }
    });
  }

  it('of an http tool is the image that the service answers', async () => {
    const { url } = await loopback((_request, response) =>
      response.writeHead(200, { 'content-type': 'Image/PNG; q=1' }).end(Buffer.from(pixel, 'base64')),
    );
    const tool = { name: 'it', description: 'd', execution: { type: 'http', method: 'get', url } };
    const { call } = await connect(await testKernel({ plugins: [executorHttp()], tools: [tool] }));
    expect((await call('it')).content).to.deep.equal([{ type: 'image', data: pixel, mimeType: 'image/png' }]);
  });
});

describe('tools/call: many at once', () => {
  it('runs 20 calls side by side and gives each its own answer', async () => {
    const all = gate();
    let started = 0;
    const tool = handlerTool(
      async ({ n }: { n: number }, { callId, progress }) => {
        progress({ progress: n });
        if (++started === 20) all.open();
        await all.opened;
        return { n, callId };
      },
      { parameters: { n: { type: 'integer' } } },
    );
    const { call } = await connect(await testKernel({ tools: [tool] }));
    const numbers = [...Array(20).keys()];
    const notes: unknown[] = [];
    const answers = await Promise.all(
      numbers.map(async (n) => JSON.parse(textOf(await call('it', { n }, { onprogress: ({ progress }) => (notes[n] = progress) })))),
    );
    expect(answers.map(({ n }) => n)).to.deep.equal(numbers);
    expect(new Set(answers.map(({ callId }) => callId)).size).to.equal(20);
    expect(notes).to.deep.equal(numbers);
  });
});

describe('tools/call: secrets', () => {
  const value = 'planted-secret-value';
  const base64 = Buffer.from(value).toString('base64');
  const plugins = [secretsEnv({ env: { API_TOKEN: value } }), credentialsPlaceholder()];
  const places: { place: string; handler: Handler }[] = [
    { place: 'a result', handler: (_, { secrets }) => ({ list: [`is ${secrets['API_TOKEN']}`], [`${secrets['API_TOKEN']}`]: base64 }) },
    {
      place: 'content',
      handler: (_, { secrets, withContent }) =>
        withContent(null, [
          { type: 'text', text: `is ${secrets['API_TOKEN']}` },
          { type: 'resource', resource: { uri: 'a:b', text: base64 } },
        ]),
    },
    {
      place: 'an error',
      handler: (_, { secrets }) => {
        throw new Error(`refused ${secrets['API_TOKEN']}`);
      },
    },
    {
      place: 'the details of an error',
      handler: (_, { secrets }) => {
        throw new ToolkitError('EXECUTION_FAILED', 'No.', { sent: { token: secrets['API_TOKEN'] } });
      },
    },
    {
      place: 'progress',
      handler: (_, { secrets, progress }) => {
        progress(`sends ${secrets['API_TOKEN']}`);
        return null;
      },
    },
    {
      place: 'a log line',
      handler: (_, { secrets, logger }) => {
        logger.warn(`has ${secrets['API_TOKEN']}`, { at: [{ x: base64 }] });
        return null;
      },
    },
    {
      place: 'a question',
      handler: (_, { secrets, client }) =>
        client.elicit?.({
          message: `Send ${secrets['API_TOKEN']}?`,
          schema: { type: 'object', properties: { yes: { type: 'boolean', description: base64 } } },
        }),
    },
    {
      place: 'a request for a text',
      handler: async (_, { secrets, client }) => {
        const content = { type: 'text', text: `Use ${secrets['API_TOKEN']}` } as const;
        await client.sample?.({ messages: [{ role: 'user', content }], maxTokens: 5, systemPrompt: base64 });
        return null;
      },
    },
  ];
  for (const { place, handler } of places) {
    it(`are masked in ${place}`, async () => {
      const kernel = await testKernel({ plugins, tools: [handlerTool(handler, { secrets: ['API_TOKEN'] })] });
      const { call, sent } = await connect(kernel, { capabilities: { elicitation: {}, sampling: {} } });
      await call('it', {}, { onprogress: () => {} });
      const wire = JSON.stringify(sent);
      expect(wire).to.include('[secret API_TOKEN]').and.not.include(value);
      expect(wire).to.not.include(base64);
    });
  }
});
