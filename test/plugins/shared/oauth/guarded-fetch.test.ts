import { expect } from 'chai';
import type { OutboundFetch } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { createOAuthClient } from '../../../../plugins/shared/oauth/client.ts';
import { TokenServer } from '../../../support/oauth/token-server.ts';
import { rejection } from '../../../support/rejection.ts';
import { answerNames, guardedKernel } from '../../guard-outbound/guarded.ts';

/** Runs work with the fetch of a tool of a package, behind the guard. */
async function withGuard<T>(allow: readonly string[], work: (fetch: OutboundFetch) => Promise<T>): Promise<T> {
  let outcome: Promise<T> | undefined;
  const handler = async (_parameters: unknown, { fetch }: FunctionContext): Promise<string> => {
    outcome = work((url, init) => fetch(url as string, init));
    await outcome.catch(() => {});
    return 'done';
  };
  const tool = { name: 'work', description: 'Works.', execution: { type: 'function', handler } };
  const kernel = await guardedKernel(allow, { tools: [tool] });
  await kernel.execute('work');
  return outcome as Promise<T>;
}

describe('an OAuth client behind the guard of requests', () => {
  it('refreshes at an address that is allowed', async () => {
    const server = await TokenServer.start();
    const refreshed = await withGuard(['127.0.0.1'], (fetch) => {
      return createOAuthClient(server.settings(), { fetch, now: Date.now }).refresh(server.issue());
    });
    expect(server.accountOf(refreshed.accessToken)).to.equal('ann@acme.example');
    expect(server.requests[0]?.headers['connection']).to.equal('close');
  });

  for (const [host, addresses] of [
    ['10.0.0.1', []],
    ['[fd00::1]', []],
    ['login.acme.example', [['192.168.1.1']]],
  ] as const)
    it(`sends nothing to ${host}, which is private`, async () => {
      const server = await TokenServer.start();
      answerNames({ 'login.acme.example': addresses });
      const work = withGuard([], (fetch) => {
        return createOAuthClient(server.settings({ tokenUrl: `https://${host}/token` }), { fetch, now: Date.now }).refresh(server.issue());
      });
      const error = await rejection(work, 'UPSTREAM_UNAVAILABLE');
      expect(error.details['oauth']).to.deep.equal({ kind: 'unsent' });
      expect(error.message).to.include('was not sent');
    });
});
