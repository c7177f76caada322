import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { rejection } from '../../support/rejection.ts';
import { testKernel } from '../../support/test-kernel.ts';
import { makeCertificates } from '../executor-http/certificates.ts';
import { guardedKernel } from './guarded.ts';

const tool = {
  name: 'take',
  description: 'Fetches.',
  parameters: { url: { type: 'string' }, verify: { type: 'boolean', default: true } },
  execution: {
    type: 'function',
    handler: async ({ url, verify }: { url: string; verify: boolean }, { fetch }: FunctionContext) =>
      (await fetch(url, {}, { verifyCertificate: verify })).text(),
  },
};

describe('a server whose certificate nobody vouches for', () => {
  let server: ReturnType<typeof createServer>;
  let url: string;

  before(async () => {
    const { stranger } = await makeCertificates();
    server = createServer(stranger, (_request, response) => response.end('here'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(() => void server.close());

  it('is reached only by a call that says so, and by no later one', async () => {
    const kernel = await guardedKernel(['127.0.0.1'], { tools: [tool] });
    const take = (verify: boolean) => kernel.call({ tool: 'take', parameters: { url, verify } });
    await rejection(take(true), 'EXECUTION_FAILED');
    expect((await take(false)).output).to.equal('here');
    await rejection(take(true), 'EXECUTION_FAILED');
  });

  it('stays behind the guard', async () => {
    const kernel = await guardedKernel([], { tools: [tool] });
    await rejection(kernel.call({ tool: 'take', parameters: { url, verify: false } }), 'OUTBOUND_BLOCKED');
  });

  it('cannot be asked for where no plugin knows how', async () => {
    const kernel = await testKernel({ tools: [tool] });
    const { message } = await rejection(kernel.call({ tool: 'take', parameters: { url, verify: false } }), 'EXECUTION_FAILED');
    expect(message).to.include('guardOutbound()');
  });
});
