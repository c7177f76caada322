import { expect } from 'chai';
import { apiVersion, definePlugin } from '../../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../../plugins/credentials-placeholder/index.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';
import { connect } from '../support/client.ts';

describe('the account of a call over MCP', () => {
  it('is in _meta of the result, and absent without one', async () => {
    const accounts = definePlugin({
      name: 'accounts',
      apiVersion,
      apply: ({ extend }) =>
        extend.callerCredentials({
          provides: (secret) => secret === 'MAIL_TOKEN',
          find: () => new Map([['MAIL_TOKEN', { value: 'token-of-ann-77', account: { provider: 'mail', name: 'work' } }]]),
        }),
    });
    const kernel = await testKernel({
      tools: [echoTool(), echoTool({ name: 'send', secrets: ['MAIL_TOKEN'] })],
      plugins: [credentialsPlaceholder(), accounts()],
    });
    const { call } = await connect(kernel);
    expect((await call('send', { text: 'a' }))._meta).to.deep.equal({ 'toolkit/account': { mail: 'work' } });
    expect((await call('echo', { text: 'a' }))._meta).to.equal(undefined);
  });
});
