import { expect } from 'chai';
import { apiVersion, approvedArgument, ask, definePlugin, type Kernel, type LogMeta, revealSecret } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';

const token = 'tok-0123456789abcdef';
const other = 'tok-fedcba9876543210';
const approval = 'A'.repeat(36) + 'b'.repeat(36);

const withToken = (handler: (parameters: never, context: FunctionContext) => unknown) => ({
  ...echoTool(),
  secrets: ['API_TOKEN'],
  parameters: { arguments: { type: 'object', additionalProperties: true } },
  execution: { type: 'function', handler },
});

/** A kernel whose plugin writes what it sees of each call into its own logger. */
async function gossiping(handler: (parameters: never, context: FunctionContext) => unknown = (parameters) => parameters) {
  const logger = memoryLogger();
  const seen: unknown[] = [];
  const gossip = definePlugin({
    name: 'gossip',
    apiVersion,
    apply(api) {
      api.hooks.beforeExecute.tap('gossip', (draft) => {
        const given = [...draft.ownCredentials.values()].map(revealSecret);
        api.logger.info(`given ${given}`, { given, parameters: draft.parameters, error: new Error(`of ${given}`) });
        return undefined;
      });
      api.hooks.settled.tap('gossip', (end) => void seen.push(end));
    },
  });
  const kernel = await testKernel({ tools: [withToken(handler)], plugins: [gossip()], logger });
  return {
    kernel,
    seen,
    written: () => JSON.stringify(logger.records),
    log: (text: string, meta?: LogMeta) => kernel.logger.warn(text, meta),
  };
}

/** Calls that wait in their handler until they are let go. */
function gatedCalls() {
  const waiting = new Map<string, () => void>();
  const arrivals = new Map<string, () => void>();
  const handler = ({ arguments: { id } }: { readonly arguments: { readonly id: string } }): Promise<null> =>
    new Promise((resolve) => {
      waiting.set(id, () => resolve(null));
      arrivals.get(id)?.();
    });
  const start = async (kernel: Kernel, id: string, credential: string): Promise<{ readonly end: () => Promise<unknown> }> => {
    const arrived = new Promise<void>((resolve) => arrivals.set(id, resolve));
    const call = kernel.execute('echo', { arguments: { id } }, { credentials: { API_TOKEN: credential } });
    await arrived;
    return {
      end: () => {
        waiting.get(id)?.();
        return call;
      },
    };
  };
  return { handler: handler as never, start };
}

describe('a credential that came with one call', () => {
  it('is masked in the logger of a plugin that sees it', async () => {
    const { kernel, written } = await gossiping();
    await kernel.execute('echo', {}, { credentials: { API_TOKEN: token } });
    expect(written()).to.include('given [secret API_TOKEN]').and.not.include(token);
  });

  it('is masked by every logger and by the kernel as long as its call runs, whatever ends beside it', async () => {
    const { handler, start } = gatedCalls();
    const { kernel, written, log } = await gossiping(handler);
    const first = await start(kernel, 'first', token);
    const again = await start(kernel, 'again', token);
    const second = await start(kernel, 'second', other);
    log(`a ${token} ${other}`, { b: [token] });
    await first.end();
    log(`c ${token} ${other}`);
    expect(kernel.mask({ value: `${token}${other}` })).to.deep.equal({ value: '[secret API_TOKEN][secret API_TOKEN]' });
    expect(written()).to.not.include(token).and.not.include(other);
    await again.end();
    expect(kernel.mask(`${token} ${other}`)).to.equal(`${token} [secret API_TOKEN]`);
    await second.end();
    expect(kernel.mask(`${token} ${other}`)).to.equal(`${token} ${other}`);
  });

  it('is forgotten when its call fails or is refused', async () => {
    const { kernel } = await gossiping(() => {
      throw new Error(`no, ${token}`);
    });
    const credentials = { API_TOKEN: token };
    const failed = await rejection(kernel.execute('echo', {}, { credentials }), 'EXECUTION_FAILED');
    const refused = await rejection(kernel.execute('echo', { wrong: token }, { credentials }), 'INVALID_PARAMETERS');
    expect(`${failed.message} ${refused.message}`).to.not.include(token);
    expect(kernel.mask(token)).to.equal(token);
  });
});

describe('a secret among the parameters of a call', () => {
  const places: readonly { readonly what: string; readonly given: Readonly<Record<string, unknown>>; readonly name: string }[] = [
    { what: 'a credential of a tool', given: { API_TOKEN: token }, name: 'API_TOKEN' },
    { what: 'one further in', given: { a: [1, { b: { API_TOKEN: token } }] }, name: 'API_TOKEN' },
    { what: 'an approval token', given: { [approvedArgument]: approval }, name: approvedArgument },
    {
      what: 'one further in, twice',
      given: { calls: [{ [approvedArgument]: approval }, { [approvedArgument]: approval }] },
      name: approvedArgument,
    },
  ];
  for (const { what, given, name } of places) {
    it(`that is ${what} stays out of records, questions, logs, progress, errors and outputs`, async () => {
      const told: unknown[] = [];
      const asker = definePlugin({
        name: 'asker',
        apiVersion,
        apply(api) {
          api.hooks.beforeExecute.tap('asker', (draft) => ask(draft, { kind: 'test', message: JSON.stringify(draft.parameters) }));
          api.hooks.approve.tap('asker', ({ shownParameters, reason, call }) => {
            told.push(shownParameters, reason);
            api.logger.info('asked', { parameters: call.parameters });
            return { approved: true, by: 'test' };
          });
          api.hooks.settled.tap('asker', (end) => void told.push(end.parameters, end.outcome));
        },
      });
      const handler = (parameters: unknown, { logger, progress }: FunctionContext): unknown => {
        logger.warn('called', { parameters });
        progress(JSON.stringify(parameters));
        throw new Error(JSON.stringify(parameters));
      };
      const logger = memoryLogger();
      const kernel = await testKernel({ tools: [withToken(handler)], plugins: [asker()], logger });
      const onProgress = (progress: unknown): void => void told.push(progress);
      const call = { origin: 'model', onProgress, onTap: (effect: unknown) => void told.push(effect) } as const;
      const error = await rejection(kernel.execute('echo', { arguments: given }, call), 'EXECUTION_FAILED');
      const direct = await rejection(kernel.execute('echo', { ...given }, call), 'INVALID_PARAMETERS');
      const everything = JSON.stringify([told, logger.records, error, error.message, direct, direct.message]);
      expect(everything).to.include(`[secret ${name}]`).and.not.include(token).and.not.include(approval);
    });
  }

  it('is masked in the output', async () => {
    const { kernel } = await gossiping();
    expect(await kernel.execute('echo', { arguments: { API_TOKEN: token, also: token } })).to.deep.equal({
      arguments: { API_TOKEN: '[secret API_TOKEN]', also: '[secret API_TOKEN]' },
    });
  });

  it('is none where the tool itself declares a parameter of that name', async () => {
    const own = { ...echoTool(), name: 'own', parameters: { API_TOKEN: { type: 'string', auth: false } } };
    const kernel = await testKernel({ tools: [withToken(() => null), own] });
    expect(await kernel.execute('own', { API_TOKEN: token })).to.deep.equal({ API_TOKEN: token });
  });

  it('is one where the tool declares it as a credential, which no model may give', async () => {
    const ends: unknown[] = [];
    const trail = definePlugin({
      name: 'trail',
      apiVersion,
      apply: ({ hooks }) => hooks.settled.tap('trail', (end) => void ends.push(end)),
    });
    const tool = echoTool({
      parameters: { text: { type: 'string' }, API_TOKEN: { type: 'string', auth: true } },
      execution: { type: 'http', method: 'get', url: 'https://shop.example/{text}', headers: { 'x-token': '{API_TOKEN}' } },
    });
    const kernel = await testKernel({ tools: [tool], plugins: [executorHttp(), trail()] });
    const call = kernel.call({ tool: 'echo', parameters: { text: 'x', API_TOKEN: token }, origin: 'model' });
    const error = await rejection(call, 'INVALID_PARAMETERS');
    expect(JSON.stringify([ends, error, error.message])).to.not.include(token);
  });

  it('is none where an approval is a word', async () => {
    const { kernel } = await gossiping();
    const given = { arguments: { [approvedArgument]: 'true', also: 'it is true' } };
    expect(await kernel.execute('echo', given)).to.deep.equal(given);
  });

  it('is refused among more of them than a call can need, without a word of any', async () => {
    const { kernel, seen } = await gossiping();
    const given = { arguments: { list: Array.from({ length: 101 }, (_, index) => ({ API_TOKEN: `${token}${index}` })) } };
    const error = await rejection(kernel.execute('echo', given), 'INVALID_PARAMETERS');
    expect(error.message).to.include('more than 100 values stand under names of credentials');
    expect(JSON.stringify([error, seen])).to.not.include(token);
  });

  it('is found in parameters that hold themselves', async () => {
    const { kernel, seen } = await gossiping();
    const circle: Record<string, unknown> = { API_TOKEN: token };
    circle['self'] = circle;
    await kernel.execute('echo', { arguments: circle }).catch(() => {});
    expect(JSON.stringify((seen[0] as { outcome: unknown }).outcome)).to.not.include(token);
  });
});
