import canonicalize from 'canonicalize';
import { expect } from 'chai';
import { apiVersion, definePlugin, type PluginEntry, type SourcedCredential } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { echoTool } from '../../support/test-kernel.ts';
import { audited, linesIn, recordsIn } from './audited.ts';

/** Plugins that give each caller an account of this name. */
function withAccount(name: string): readonly PluginEntry[] {
  const credential: SourcedCredential = { value: 'token-of-ann-77', account: { provider: 'mail', name } };
  const accounts = definePlugin({
    name: 'accounts',
    apiVersion,
    apply: ({ extend }) =>
      extend.callerCredentials({ provides: (secret) => secret === 'MAIL_TOKEN', find: () => new Map([['MAIL_TOKEN', credential]]) }),
  });
  return [credentialsPlaceholder(), accounts()];
}

const tools = [
  echoTool({ name: 'send', secrets: ['MAIL_TOKEN'] }),
  echoTool({
    name: 'fail',
    secrets: ['MAIL_TOKEN'],
    execution: {
      type: 'function',
      handler: () => {
        throw new Error('no');
      },
    },
  }),
];

describe('the account in the records of the audit trail', () => {
  it('is that of the call, also of a failed one, in canonical JSON; absent for a call without one', async () => {
    const { kernel, file } = await audited({}, { tools, plugins: withAccount('work') });
    await kernel.execute('send', { text: 'a' });
    await kernel.execute('fail', {}).catch(() => {});
    await kernel.execute('echo', { text: 'b' });
    expect((await recordsIn(file)).map(({ account }) => account)).to.deep.equal([{ mail: 'work' }, { mail: 'work' }, undefined]);
    for (const line of await linesIn(file)) expect(line).to.equal(canonicalize(JSON.parse(line)));
  });

  it('is masked and bounded', async () => {
    const name = `token-of-ann-77 ${'x'.repeat(10_000)}`;
    const { kernel, file } = await audited({}, { tools, plugins: withAccount(name) });
    await kernel.execute('send', { text: 'a' });
    const [line = ''] = await linesIn(file);
    expect(line).to.include('[secret MAIL_TOKEN]').and.not.include('token-of-ann');
    expect(line).to.have.length.below(3000);
  });
});
