import { expect } from 'chai';
import { stopCalls } from '../../../../../plugins/cli/commands/explain/stop-calls.ts';
import { checkPlugin } from '../../../../../plugins/toolkit/testing.ts';
import { rejection } from '../../../../support/rejection.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';
import { explained, fail, inquire, refuse, rewrite } from './explained.ts';

const other = { OTHER_TOKEN: 'value-of-other-token' };

describe('the explanation of a call', () => {
  it('that nothing holds says so', async () => {
    const { text } = await explained('open', { flags: { args: '{"text": "hello"}', caller: 'desk-4' } });
    expect(text.split('\n')).to.deep.equal([
      'open (provider shop, risk low) called by "desk-4", origin model',
      'parameters: {"text":"hello"}',
      'credentials: none',
      'hooks:',
      '  injectAuth credentials-placeholder: left it as it is',
      '  beforeExecute credentials-placeholder:defaults: left it as it is',
      '  beforeExecute executor-function:options: left it as it is',
      '  beforeExecute policy-rules: left it as it is',
      'outcome: runs',
      '',
    ]);
  });

  it('says which resolver has which secret, and who bound it', async () => {
    const { text } = await explained('keyed', { env: other });
    expect(text).to.include('credentials:\n  OWN_TOKEN: found by secrets-env\n  OTHER_TOKEN: found by secrets-env\n');
    expect(text).to.include('  injectAuth credentials-placeholder: bound OWN_TOKEN; bound OTHER_TOKEN\n');
    expect(text).to.include('outcome: runs').and.not.include('value-of');
  });

  it('says which secret is missing', async () => {
    const { text } = await explained('keyed');
    expect(text).to.include('  OWN_TOKEN: found by secrets-env\n  OTHER_TOKEN: MISSING\n');
    expect(text).to.include(
      '  injectAuth credentials-placeholder: failed with MISSING_PARAMETER: Missing required parameter: OTHER_TOKEN.',
    );
    expect(text).to.include('outcome: fails with MISSING_PARAMETER: Missing required parameter: OTHER_TOKEN.');
  });

  it('says which secret came with the call, and not what it is', async () => {
    const args = JSON.stringify({ OTHER_TOKEN: 'mine-alone-1234', text: 'mine-alone-1234 value-of-own-token' });
    const { text } = await explained('keyed', { flags: { args, origin: 'host' } });
    expect(text).to.include('  OTHER_TOKEN: given with the call\n').and.to.include('outcome: runs');
    expect(text).to.include('parameters: {"text":"[secret OTHER_TOKEN] [secret OWN_TOKEN]"}');
    expect(text).to.not.match(/mine-alone|value-of/);
  });

  it('says who changes parameters, and with which the call would run', async () => {
    const { text } = await explained('open', { flags: { args: '{"text": "hello"}' }, plugins: [rewrite()] });
    expect(text).to.include('  beforeExecute rewrite: changed text from "hello" to "rewritten"\n');
    expect(text).to.include('parameters: {"text":"rewritten"}\n');
  });

  it('masks secrets in changed parameters', async () => {
    const { text } = await explained('keyed', { flags: { args: '{"text": "a value-of-own-token"}' }, plugins: [rewrite()], env: other });
    expect(text).to.include('changed text from "a [secret OWN_TOKEN]" to "rewritten"').and.not.include('value-of');
  });

  it('says who asks, why, and who would be asked', async () => {
    const { text, happened } = await explained('open', { plugins: [inquire()], rules: [{ name: 'ask', effect: 'ask' }] });
    expect(text).to.include('  beforeExecute inquire: asked for approval (inquire): who wants it?\n');
    expect(text).to.include('  beforeExecute policy-rules: asked for approval (rule): the policy asks for approval (rule "ask")\n');
    expect(text).to.include(
      'outcome: needs approval\n  inquire: who wants it?\n  rule: the policy asks for approval (rule "ask")\nasked for approval, in this order: given, policy-rules, policy-rules:client-cannot-ask\n',
    );
    expect(happened).to.deep.equal([]);
  });

  it('says who refuses, and who would have asked or refused as well', async () => {
    const { text, happened } = await explained('open', { plugins: [refuse(), inquire()], rules: [{ name: 'no', effect: 'deny' }] });
    expect(text).to.include('  beforeExecute refuse: refused it (refuse): not today\n');
    expect(text).to.include('  beforeExecute inquire: also objected (inquire): who wants it?\n');
    expect(text).to.include('  beforeExecute policy-rules: also objected (rule): the policy denies it (rule "no")\n');
    expect(text).to.include('outcome: is refused with POLICY_DENIED: "open" is refused: ');
    expect(happened).to.deep.equal([]);
  });

  it('says which plugin fails', async () => {
    const { text } = await explained('open', { plugins: [fail(), rewrite()] });
    expect(text).to.include(
      '  beforeExecute fail: failed with PLUGIN_FAILED: Plugin "fail" failed in "beforeExecute" for tool "open": always\n',
    );
    expect(text).to.include('outcome: fails with PLUGIN_FAILED').and.not.include('rewrite');
  });

  it('runs nothing and asks nobody', async () => {
    for (const setting of [{}, { rules: [{ effect: 'ask' as const }] }, { rules: [{ effect: 'deny' as const }] }]) {
      expect((await explained('open', setting)).happened).to.deep.equal([]);
    }
  });

  it('is JSON for programs', async () => {
    const { text } = await explained('keyed', {
      flags: { json: true, args: '{"text": "hello"}', origin: 'host' },
      plugins: [rewrite()],
      rules: [{ name: 'no', effect: 'deny' }],
      env: other,
    });
    const verdict = { kind: 'rule', message: 'the policy denies it (rule "no")' };
    expect(JSON.parse(text)).to.deep.equal({
      tool: 'keyed',
      provider: 'shop',
      risk: 'high',
      caller: 'default',
      origin: 'host',
      parameters: { text: 'rewritten' },
      credentials: [
        { name: 'OWN_TOKEN', secret: 'OWN_TOKEN', required: true, source: 'secrets-env' },
        { name: 'OTHER_TOKEN', secret: 'OTHER_TOKEN', required: true, source: 'secrets-env' },
      ],
      steps: [
        {
          hook: 'injectAuth',
          plugin: 'credentials-placeholder',
          tap: 'credentials-placeholder',
          deeds: [
            { type: 'bound', credential: 'OWN_TOKEN' },
            { type: 'bound', credential: 'OTHER_TOKEN' },
          ],
        },
        { hook: 'beforeExecute', plugin: 'credentials-placeholder', tap: 'credentials-placeholder:defaults', deeds: [] },
        { hook: 'beforeExecute', plugin: 'executor-function', tap: 'executor-function:options', deeds: [] },
        {
          hook: 'beforeExecute',
          plugin: 'rewrite',
          tap: 'rewrite',
          deeds: [{ type: 'changed', parameter: 'text', from: 'hello', to: 'rewritten' }],
        },
        { hook: 'beforeExecute', plugin: 'policy-rules', tap: 'policy-rules', deeds: [{ type: 'refused', ...verdict }] },
      ],
      outcome: 'is refused',
      reasons: [verdict],
      error: { code: 'POLICY_DENIED', message: '"keyed" is refused: the policy denies it (rule "no")' },
    });
  });
});

describe('a call that cannot be explained is refused', () => {
  it('when there is no such tool', async () => {
    expect((await rejection(explained('opn'), 'TOOL_NOT_FOUND')).message).to.include('Did you mean "open"?');
  });

  it('when the parameters are not those of the tool', async () => {
    const error = await rejection(explained('open', { flags: { args: '{"text": 5}' } }), 'INVALID_PARAMETERS');
    expect(error.message).to.include('text expected string');
  });

  it('when a model gives credentials', async () => {
    const args = '{"OWN_TOKEN": "mine-alone-1234"}';
    expect((await rejection(explained('keyed', { flags: { args } }), 'INVALID_PARAMETERS')).message).to.not.include('mine');
  });

  const wrong: readonly { readonly flags: Readonly<Record<string, string>>; readonly says: string }[] = [
    { flags: { args: '{"text": my-secret' }, says: '--args is not JSON: line 1, column 10: ' },
    { flags: { args: '["a"]' }, says: '--args expected a JSON object such as {"text": "hello"}, received array of 1' },
    { flags: { args: 'null' }, says: '--args expected a JSON object' },
    { flags: { args: '{}', argsFile: 'x.json' }, says: '--args cannot be combined with --args-file' },
    { flags: { argsFile: '/no/such/file.json' }, says: '--args-file names a file that cannot be read: it does not exist (ENOENT)' },
  ];
  for (const { flags, says } of wrong) {
    it(`when the flags are ${JSON.stringify(flags)}`, async () => {
      const error = await rejection(explained('open', { flags }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says).and.not.include('my-secret');
    });
  }
});

describe('the parameters of an explained call', () => {
  it('may come from a file', async () => {
    const folder = await temporaryFolder({ 'args.json': '{"text": "from the file"}' });
    expect((await explained('open', { flags: { argsFile: `${folder}/args.json` } })).text).to.include(
      'parameters: {"text":"from the file"}',
    );
  });
});

describe('the plugin that ends explained calls', () => {
  it('keeps the contract', async () => {
    expect(await checkPlugin(() => stopCalls(() => {}))).to.deep.equal([]);
  });
});
