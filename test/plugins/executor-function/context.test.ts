import { expect } from 'chai';
import type { Progress } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { guardOutbound } from '../../../plugins/guard-outbound/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';

type Handler = (parameters: never, context: FunctionContext) => unknown;

function tool(handler: Handler, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return echoTool({ name: 'it', execution: { type: 'function', handler }, ...more });
}

describe('the context of a function', () => {
  const secrets = [
    secretsEnv({ env: { SHOP_TOKEN: 'value-of-shop-token', OTHER_TOKEN: 'value-of-other-token' } }),
    credentialsPlaceholder(),
  ];

  it('holds the secrets that the definition names and no others', async () => {
    let seen: Readonly<Record<string, string>> = {};
    const handler: Handler = (_, context) => {
      seen = { ...context.secrets };
      return null;
    };
    const kernel = await testKernel({ plugins: secrets, tools: [tool(handler, { secrets: ['SHOP_TOKEN'] })] });
    await kernel.resolveSecrets(['OTHER_TOKEN']);
    await kernel.execute('it');
    expect(seen).to.deep.equal({ SHOP_TOKEN: 'value-of-shop-token' });
  });

  it('has no secrets when the definition names none', async () => {
    const kernel = await testKernel({ plugins: secrets, tools: [tool((_, context) => ({ names: Object.keys(context.secrets) }))] });
    expect(await kernel.execute('it')).to.deep.equal({ names: [] });
  });

  it('cannot be used to change the secrets of a call', async () => {
    const handler: Handler = (_, context) => Object.isFrozen(context.secrets);
    const kernel = await testKernel({ plugins: secrets, tools: [tool(handler, { secrets: ['SHOP_TOKEN'] })] });
    expect(await kernel.execute('it')).to.equal(true);
  });

  it('says who calls and in which call', async () => {
    const handler: Handler = (_, { caller, callId }) => ({ caller, callId });
    const kernel = await testKernel({ tools: [tool(handler)] });
    const { output, callId } = await kernel.call({ tool: 'it', caller: 'desk-4' });
    expect(output).to.deep.equal({ caller: 'desk-4', callId });
  });

  it('makes errors with a code of the table, and no other', async () => {
    const handler: Handler = (parameters: { text: string }, { error }) => {
      throw error(parameters.text as 'NOT_FOUND', 'There is no such row.', { row: 7 });
    };
    const kernel = await testKernel({ tools: [tool(handler)] });
    const known = await rejection(kernel.execute('it', { text: 'NOT_FOUND' }), 'NOT_FOUND');
    expect(known.toJSON()).to.deep.include({ message: 'There is no such row.', row: 7, tool: 'it' });
    const unknown = await rejection(kernel.execute('it', { text: 'NO_ROW' }), 'EXECUTION_FAILED');
    expect(unknown.toJSON()).to.deep.include({ message: 'There is no such row.', row: 7, handlerCode: 'NO_ROW' });
  });

  it('runs what is left to be done when the kernel closes, once, the last first, and names what failed', async () => {
    const done: string[] = [];
    const first = () => void done.push('first');
    const second = () => {
      done.push('second');
      throw new Error('the pool is stuck');
    };
    const handler: Handler = (_, { onClose }) => {
      onClose(first);
      onClose(second);
      return null;
    };
    const kernel = await testKernel({ tools: [tool(handler)] });
    await kernel.execute('it');
    await kernel.execute('it');
    expect(done).to.deep.equal([]);
    const error = await kernel.close().then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    expect(done).to.deep.equal(['second', 'first']);
    expect(error?.message).to.include('the pool is stuck');
  });

  it('passes progress on, as numbers and as text', async () => {
    const notes: Progress[] = [];
    const handler: Handler = (_, context) => {
      context.progress({ progress: 1, total: 3, message: 'one' });
      context.progress('two');
      return null;
    };
    const kernel = await testKernel({ tools: [tool(handler)] });
    await kernel.execute('it', {}, { onProgress: (note) => void notes.push(note) });
    expect(notes).to.deep.equal([{ progress: 1, total: 3, message: 'one' }, { message: 'two' }]);
  });

  it('lists the tools that the caller sees, and calls them for the same caller', async () => {
    const handler: Handler = async (_, { tools }) => ({
      names: tools.list().map(({ name }) => name),
      said: (await tools.call('whoami', {})).output,
    });
    const whoami = tool((_, { caller }) => caller, { name: 'whoami' });
    const kernel = await testKernel({ tools: [tool(handler), whoami, echoTool({ name: 'unseen' })] });
    const request = { tool: 'it', caller: 'desk-4', isVisible: ({ name }: { name: string }) => name !== 'unseen' };
    expect((await kernel.call(request)).output).to.deep.equal({ names: ['it', 'whoami'], said: 'desk-4' });
  });

  it('does not reach a tool that the caller does not see', async () => {
    const handler: Handler = async (_, { tools }) => (await tools.call('unseen', {})).output;
    const kernel = await testKernel({ tools: [tool(handler), echoTool({ name: 'unseen' })] });
    await rejection(kernel.call({ tool: 'it', isVisible: ({ name }) => name !== 'unseen' }), 'TOOL_NOT_FOUND');
  });

  it('fetches behind the outbound guard', async () => {
    const { url, requests } = await loopback((_, response) => response.end('secret page'));
    const handler: Handler = async (_, context) => (await context.fetch(url)).text();
    const guarded = await testKernel({ plugins: [guardOutbound()], tools: [tool(handler)] });
    await rejection(guarded.execute('it'), 'OUTBOUND_BLOCKED');
    expect(requests).to.deep.equal([]);
    const allowed = await testKernel({ plugins: [guardOutbound({ allowHosts: ['127.0.0.1'] })], tools: [tool(handler)] });
    expect(await allowed.execute('it')).to.equal('secret page');
  });
});
