import { expect } from 'chai';
import type { CallClient, Kernel } from '../../../kernel/index.ts';
import { kernelWith, stdioServer } from './kernel-with.ts';
import { httpServer } from './servers/over-http.ts';

/** A client whose person answers with the name of its caller, and notes what it was asked. */
function personOf(caller: string, asked: string[]): CallClient {
  return {
    elicit: async ({ message }) => {
      asked.push(`${caller}: ${message.replace('The MCP server "shop" asks: ', '')}`);
      return { action: 'accept', content: { answer: caller } };
    },
  };
}

const ask = (kernel: Kernel, caller: string, asked: string[]) =>
  kernel.call({ tool: 'shop_ask', parameters: { who: caller }, caller, client: personOf(caller, asked) });

/** Answers of many questions of two callers at once, by what they are. */
async function askTogether(kernel: Kernel, times: number): Promise<{ own: number; declined: number; foreign: number; asked: string[] }> {
  const asked: string[] = [];
  const callers = Array.from({ length: times }, (_, index) => (index % 2 === 0 ? 'ada' : 'bob'));
  const outputs = await Promise.all(callers.map(async (caller) => [caller, (await ask(kernel, caller, asked)).output] as const));
  const count = (is: (caller: string, output: unknown) => boolean): number =>
    outputs.filter(([caller, output]) => is(caller, output)).length;
  return {
    own: count((caller, output) => output === `accept: ${caller}`),
    declined: count((_caller, output) => output === 'decline: '),
    foreign: count((caller, output) => output === `accept: ${caller === 'ada' ? 'bob' : 'ada'}`),
    asked,
  };
}

describe('questions of a server to two callers at once', () => {
  const cases = {
    'of 2026, which asks inside the call': async () => stdioServer('modern', { queue: 1000 }),
    'of 2026 over HTTP': async () => ({ url: (await httpServer('modern')).url, pin: 'first-use', gate: 'none', queue: 1000 }) as const,
    'of 2025, with a process for each caller': async () => stdioServer('legacy', { queue: 1000, perCaller: true }),
  };
  for (const [title, server] of Object.entries(cases))
    it(`reach each its own (${title})`, async () => {
      const { own, asked } = await askTogether(await kernelWith({ shop: await server() }), 50);
      expect(own).to.equal(50);
      expect(asked.every((line) => /^(ada: Who is ada\?|bob: Who is bob\?)$/.test(line))).to.equal(true);
    });

  it('never reach the other one where they share a process of 2025, and most wait for their turn', async () => {
    const { own, declined, foreign, asked } = await askTogether(await kernelWith({ shop: stdioServer('legacy', { queue: 1000 }) }), 50);
    expect({ foreign, sum: own + declined }).to.deep.equal({ foreign: 0, sum: 50 });
    expect(own).to.be.at.least(25);
    expect(asked.every((line) => /^(ada: Who is ada\?|bob: Who is bob\?)$/.test(line))).to.equal(true);
  });

  it('are declined where the client cannot ask', async () => {
    const kernel = await kernelWith({ shop: stdioServer('legacy') });
    const { output } = await kernel.call({ tool: 'shop_ask', parameters: { who: 'ada' }, caller: 'ada', client: {} });
    expect(output).to.equal('decline: ');
  });
});
