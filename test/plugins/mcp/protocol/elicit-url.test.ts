import { type ClientCapabilities, ElicitationCompleteNotificationSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { type CallClient, ToolkitError, type UrlRequest } from '../../../../kernel/index.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { type Connected, connect, failure, handlerTool, quiet, textOf } from '../support/client.ts';
import { asks, ModernClient, textIn } from '../support/modern-client.ts';

const request: UrlRequest = {
  message: 'Log in to the bank.',
  url: 'https://tools.example/accounts/connect/0123456789abcdef',
  elicitationId: 'login-1',
};
const withUrl = { elicitation: { url: {} } };

interface Asking {
  readonly client: CallClient;
}

/** A tool `it` that asks for this address, and gives the action after it has reported the end. */
const asker = (more: Partial<UrlRequest> | (() => Partial<UrlRequest>) = {}) =>
  handlerTool(async (_, { client }: Asking) => {
    const answer = await client.elicitUrl?.({ ...request, ...(typeof more === 'function' ? more() : more) });
    answer?.complete();
    return answer?.action ?? 'cannot be asked';
  });

const capabilities: readonly { readonly given: ClientCapabilities; readonly can: readonly string[] }[] = [
  { given: {}, can: [] },
  { given: { elicitation: {} }, can: ['elicit'] },
  { given: { elicitation: { form: {} } }, can: ['elicit'] },
  { given: withUrl, can: ['elicitUrl'] },
  { given: { elicitation: { form: {}, url: {} } }, can: ['elicit', 'elicitUrl'] },
];
const lister = handlerTool((_, { client }: Asking) => Object.keys(client).filter((name) => name.startsWith('elicit')));

describe('a request to open an address, of 2025-11-25', () => {
  /** A client that answers so, and notes all that arrives in order. */
  async function answering(action: 'accept' | 'decline' | 'cancel', tool = asker()): Promise<Connected & { readonly seen: unknown[] }> {
    const seen: unknown[] = [];
    const connected = await connect(await testKernel({ tools: [tool] }), { capabilities: withUrl });
    connected.client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      seen.push(params);
      return { action };
    });
    connected.client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => void seen.push(params));
    return { ...connected, seen };
  }

  for (const action of ['accept', 'decline', 'cancel'] as const)
    it(`is answered with ${action}, and the client hears of the end of the work there`, async () => {
      const { call, seen } = await answering(action);
      expect(textOf(await call('it'))).to.equal(action);
      expect(seen).to.deep.equal([{ mode: 'url', ...request }, { elicitationId: 'login-1' }]);
    });

  for (const { given, can } of capabilities)
    it(`can be made to a client with ${JSON.stringify(given)}: ${can.includes('elicitUrl')}`, async () => {
      const { call } = await connect(await testKernel({ tools: [lister] }), { capabilities: given });
      expect(JSON.parse(textOf(await call('it')))).to.deep.equal(can);
    });

  it('may end after the call has, on the stream of the session', async () => {
    let complete: (() => void) | undefined;
    const tool = handlerTool(async (_, { client }: Asking) => {
      const answer = await client.elicitUrl?.(request);
      complete = answer?.complete;
      return 'done';
    });
    const { call, client, seen } = await answering('accept', tool);
    await call('it');
    complete?.();
    await quiet(client);
    expect(seen.at(-1)).to.deep.equal({ elicitationId: 'login-1' });
  });

  it('says nothing to a client that has gone', async () => {
    let complete: (() => void) | undefined;
    const tool = handlerTool(async (_, { client }: Asking) => {
      complete = (await client.elicitUrl?.(request))?.complete;
      return 'done';
    });
    const { call, client, sent } = await answering('accept', tool);
    await call('it');
    await client.close();
    complete?.();
    expect(JSON.stringify(sent)).to.not.include('notifications/elicitation/complete');
  });

  for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'ms-settings:about', 'no address', ''])
    it(`is refused with the address "${url}"`, async () => {
      const { call, seen } = await answering('accept', asker({ url }));
      expect(failure(await call('it'), 'EXECUTION_FAILED')['message']).to.include('not http or https');
      expect(seen).to.deep.equal([]);
    });

  it('fails with the refusal of the client', async () => {
    const { call } = await connect(await testKernel({ tools: [asker()] }), { capabilities: withUrl }).then((connected) => {
      connected.client.setRequestHandler(ElicitRequestSchema, () => Promise.reject(new Error('no browser here')));
      return connected;
    });
    expect(failure(await call('it'), 'EXECUTION_FAILED')['message']).to.include('no browser here');
  });
});

describe('a request to open an address, of 2026-07-28', () => {
  const clientOf = async (tool: Record<string, unknown>, given: ClientCapabilities = withUrl) =>
    ModernClient.connect(await testKernel({ tools: [tool] }), { capabilities: given });

  for (const { given, can } of capabilities)
    it(`can be made to a client with ${JSON.stringify(given)}: ${can.includes('elicitUrl')}`, async () => {
      expect(JSON.parse(textIn(await (await clientOf(lister, given)).call('it')))).to.deep.equal(can);
    });

  it('ends the request, without the id that this revision does not have', async () => {
    const { inputRequests } = asks(await (await clientOf(asker({ name: 'bank' }))).call('it'));
    const { message, url } = request;
    expect(inputRequests).to.deep.equal({ bank: { method: 'elicitation/create', params: { mode: 'url', message, url } } });
  });

  for (const action of ['accept', 'decline', 'cancel'])
    it(`is answered with ${action} by the request that is made again, and nothing is sent of the end`, async () => {
      const client = await clientOf(asker());
      const { requestState } = asks(await client.call('it'));
      const result = await client.call('it', {}, { inputResponses: { question_1: { action } }, requestState });
      expect(textIn(result)).to.equal(action);
      expect(JSON.stringify(client.sent)).to.not.include('notifications/');
    });

  it('is not a new one with a new address, where the answer holds for the same', async () => {
    let links = 0;
    const client = await clientOf(asker(() => ({ url: `https://tools.example/accounts/connect/${++links}`, holdsFor: 'the login' })));
    const { requestState } = asks(await client.call('it'));
    expect(textIn(await client.call('it', {}, { inputResponses: { question_1: { action: 'accept' } }, requestState }))).to.equal('accept');
  });

  const unbound: readonly (readonly [what: string, more: () => Partial<UrlRequest>, sendsState: boolean])[] = [
    ['to another login', () => ({ holdsFor: `login ${++logins}` }), true],
    ['to another address', () => ({ url: `https://tools.example/${++logins}` }), true],
    ['given before it was asked', () => ({ holdsFor: 'the login' }), false],
  ];
  let logins = 0;
  for (const [what, more, sendsState] of unbound)
    it(`is made again after an answer ${what}`, async () => {
      const client = await clientOf(asker(more));
      const { requestState } = asks(await client.call('it'));
      const inputResponses = { question_1: { action: 'accept' } };
      asks(await client.call('it', {}, { inputResponses, ...(sendsState ? { requestState } : {}) }));
    });

  it('has one use of its answer', async () => {
    const client = await clientOf(asker({ holdsFor: 'the login' }));
    const { requestState } = asks(await client.call('it'));
    const more = { inputResponses: { question_1: { action: 'accept' } }, requestState };
    expect(textIn(await client.call('it', {}, more))).to.equal('accept');
    asks(await client.call('it', {}, more));
  });

  it('names the capability that a call cannot do without', async () => {
    const tool = handlerTool(() => {
      throw new ToolkitError('EXECUTION_FAILED', 'It needs a browser.', { clientLacks: ['elicitUrl'] });
    });
    const { data } = await (await clientOf(tool, {})).refusal(-32021, 'tools/call', { name: 'it', arguments: {} });
    expect(data).to.deep.equal({ requiredCapabilities: { elicitation: { url: {} } } });
  });
});
