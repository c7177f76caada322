import { expect } from 'chai';
import { credentialsPlaceholder } from '../../../../plugins/credentials-placeholder/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { type Asked, resolver } from '../../../kernel/secrets/chain-kernel.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { type AuthTool, authTool } from '../auth-tool.ts';

const old = 'old-token';

interface Service extends AuthTool {
  /** The tokens that arrived, in order. */
  readonly tokens: readonly string[];
  readonly asked: readonly Asked[];
  readonly values: Record<string, string>;
}

/** A service that says with 200 that it takes `new-token` only, and a kernel that knows `old-token` while its store has the new one. */
async function service(method: string, definition: object = {}): Promise<Service> {
  const tokens: string[] = [];
  let accepted = old;
  const { url } = await loopback(({ headers }, response) => {
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    tokens.push(token);
    json(response, token === accepted ? { ok: true } : { ok: false, error: 'token_expired' });
  });
  const values: Record<string, string> = { SHOP_TOKEN: old };
  const store = resolver(values);
  const tool = await authTool({
    execution: { method, url, auth: { type: 'bearer', token: '{SHOP_TOKEN}' } },
    definition: { error_when: { path: 'ok', equals: false, code_path: 'error', codes: { token_expired: 'AUTH_FAILED' } }, ...definition },
    plugins: [store.plugin, credentialsPlaceholder(), executorHttp()],
  });
  await tool.call();
  accepted = 'new-token';
  values['SHOP_TOKEN'] = 'new-token';
  tokens.length = 0;
  return { ...tool, tokens, asked: store.asked, values };
}

describe('executor-http: an answer that says with 200 that the credentials are refused', () => {
  it('makes a get go out once more, with the value that the store has now', async () => {
    const { call, tokens, asked } = await service('get');
    expect((await call()).output).to.deep.equal({ ok: true });
    expect(tokens).to.deep.equal([old, 'new-token']);
    expect(asked.slice(1)).to.deep.equal([{ names: ['SHOP_TOKEN'], isFresh: true }]);
  });

  it('fails a post, which is not sent again, and the next call takes the new value', async () => {
    const { call, tokens } = await service('post');
    const error = await rejection(call(), 'AUTH_FAILED');
    expect(error.details).to.include({ status: 200, providerCode: 'token_expired' });
    expect((await call()).output).to.deep.equal({ ok: true });
    expect(tokens).to.deep.equal([old, 'new-token']);
  });

  it('fails the call when the store has the same value still', async () => {
    const { call, tokens, values } = await service('get');
    values['SHOP_TOKEN'] = old;
    await rejection(call(), 'AUTH_FAILED');
    expect(tokens).to.deep.equal([old]);
  });

  it('fails the call when the new value is refused as well', async () => {
    const { call, tokens, values } = await service('get');
    values['SHOP_TOKEN'] = 'another-token';
    await rejection(call(), 'AUTH_FAILED');
    expect(tokens).to.deep.equal([old, 'another-token']);
  });
});
