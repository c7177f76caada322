import { expect } from 'chai';
import type { Call, CallContext } from '../../../../kernel/index.ts';
import { ClientFunctions } from '../../../../plugins/host-stdio/client/client-functions.ts';

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

/** Returns what the client is asked for a call with this span. */
async function askedFor(span: unknown): Promise<Readonly<Record<string, unknown>>> {
  let asked: Readonly<Record<string, unknown>> = {};
  const functions = new ClientFunctions({
    ask: async (_method, params) => {
      asked = params as typeof asked;
      return { output: null };
    },
  });
  const call = { tool: { name: 'it', parameters: [], definition: {} }, credentials: new Map(), parameters: {}, caller: 'ada' };
  const context = { callId: 'c1', output: {}, signal: new AbortController().signal, progress: () => {}, span };
  await functions.run(call as unknown as Call, context as unknown as CallContext);
  return asked;
}

describe('a function of the client', () => {
  const span = (told: readonly unknown[]): unknown => ({
    traceparentFor: (receiver: unknown) => (told.includes(receiver) ? traceparent : undefined),
  });

  it('is told its place in the trace where workers are', async () => {
    expect(await askedFor(span(['workers']))).to.deep.include({ callId: 'c1', traceparent });
  });

  for (const [where, given] of [
    ['workers are not', span([])],
    ['there is no trace', undefined],
  ] as const)
    it(`is not told where ${where}`, async () => {
      expect(await askedFor(given)).to.not.have.property('traceparent');
    });
});
