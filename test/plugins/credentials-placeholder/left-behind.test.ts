import { expect } from 'chai';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { functionKernel } from '../executor-function/function-kernel.ts';
import { until } from '../mcp/support/wire.ts';

/** The first function leaves something running that fails in the middle of a call of the second, in the same thread. */
const text = `
export const leave = (_, { secrets }) => {
  const timer = setInterval(() => {
    if (globalThis.goOn === undefined) return;
    clearInterval(timer);
    globalThis.goOn();
    throw new Error('left behind with ' + secrets.SHOP_TOKEN);
  }, 1);
  return 'left';
};
export const work = () => new Promise((resolve) => { globalThis.goOn = () => setImmediate(resolve, 'worked'); });
`;

describe('what the call of a tenant leaves running in a thread', () => {
  it('neither fails the call of the next tenant nor shows a credential, to it or in the log', async () => {
    const logger = memoryLogger();
    const { kernel } = await functionKernel({
      files: { 'tools.mjs': text },
      tools: { leave: { code: './tools.mjs#leave', worker: true }, work: { code: './tools.mjs#work', worker: true } },
      definition: { secrets: ['SHOP_TOKEN'] },
      executor: { maxThreads: 1 },
      plugins: [credentialsPlaceholder()],
      logger,
    });
    expect(await kernel.execute('leave', {}, { credentials: { SHOP_TOKEN: 'token-of-ann' } })).to.equal('left');
    const worked = await kernel
      .execute('work', {}, { credentials: { SHOP_TOKEN: 'token-of-bea' } })
      .catch((error: Error) => [error.message, String(error.cause)]);
    expect(JSON.stringify(worked)).to.not.include('token-of-ann');
    expect(worked).to.equal('worked');
    const warnings = () => logger.records.filter(({ level }) => level === 'warn');
    await until(() => warnings()[0]);
    expect(JSON.stringify(warnings()))
      .to.include('a function failed after its call had ended')
      .and.to.include('left behind with [secret SHOP_TOKEN]')
      .and.not.include('token-of-ann');
  });
});
