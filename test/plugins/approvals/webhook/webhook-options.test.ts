import { expect } from 'chai';
import { checkValue, ToolkitError } from '../../../../kernel/index.ts';
import { checkWebhooks, type WebhookOptions, WebhookOptionsSchema, webhookWays } from '../../../../plugins/approvals/webhook/index.ts';
import { secret } from './records.ts';

const chat: WebhookOptions = { name: 'chat', url: 'https://chat.example/approvals', secret };
const mail: WebhookOptions = { name: 'mail', url: 'http://127.0.0.1:4000/', secret: 'the secret of the mail service' };

describe('the options of webhooks', () => {
  it('are names, URLs and secrets', () => {
    const options = [chat, { ...mail, previousSecret: 'the old secret of the mail service' }];
    expect(checkValue(WebhookOptionsSchema, options)).to.deep.equal([]);
    const checked = checkWebhooks(options);
    expect(checked.map(({ name, url, keys }) => [name, url.href, keys.length])).to.deep.equal([
      ['chat', 'https://chat.example/approvals', 1],
      ['mail', 'http://127.0.0.1:4000/', 2],
    ]);
    expect(JSON.stringify(checked)).to.not.include(secret);
  });

  const misshapen: readonly (readonly [what: string, more: Readonly<Record<string, unknown>>])[] = [
    ['a name in capitals', { name: 'Chat' }],
    ['a name of 32 characters', { name: 'a'.repeat(32) }],
    ['a name that begins with a digit', { name: '1' }],
    ['an unknown member', { retries: 5 }],
  ];
  for (const [what, more] of misshapen)
    it(`are refused with ${what}, and never shown`, () => {
      const issues = checkValue(WebhookOptionsSchema, [{ ...chat, ...more }]);
      expect(issues).to.have.length.above(0);
      expect(JSON.stringify(issues)).to.not.include('aaaaaaaaaaaaaaaaaaaaaaa"').and.not.include(secret);
    });

  const refused: readonly (readonly [what: string, options: readonly WebhookOptions[], path: string, says: string])[] = [
    ['two webhooks of one name', [chat, { ...mail, name: 'chat' }], 'webhooks[1].name', '"chat" is the name of two'],
    ['two with one secret', [chat, { ...mail, secret }], 'webhooks[1].secret', 'also that of "chat"'],
    [
      'the secret of one as the previous one of another',
      [chat, { ...mail, previousSecret: secret }],
      'webhooks[1].previousSecret',
      'also that of "chat"',
    ],
    [
      'http at another machine',
      [{ ...chat, url: 'http://chat.example/x?token=abc' }],
      'webhooks[0].url',
      '"http://chat.example": expected https',
    ],
    ['a file', [{ ...chat, url: 'file:///etc/passwd' }], 'webhooks[0].url', 'expected https'],
    ['no URL', [{ ...chat, url: 'chat' }], 'webhooks[0].url', 'is not a URL'],
    ['a password in the URL', [{ ...chat, url: 'https://me:pass-word@chat.example/' }], 'webhooks[0].url', 'a user name or a password'],
    [
      'a secret of 23 characters',
      [{ ...chat, secret: 'a'.repeat(23) }],
      'webhooks[0].secret',
      'expected 24 to 512 characters, received 23',
    ],
    ['an empty secret', [{ ...chat, secret: '' }], 'webhooks[0].secret', 'received an empty text'],
    ['a previous secret of 23 characters', [{ ...chat, previousSecret: 'a'.repeat(23) }], 'webhooks[0].previousSecret', 'received 23'],
    ['a short key after whsec_', [{ ...chat, secret: 'whsec_c2hvcnQga2V5AAAAAA==' }], 'webhooks[0].secret', 'base64 of at least 24 bytes'],
  ];
  for (const [what, options, path, says] of refused)
    it(`are refused with ${what}`, () => {
      let error: unknown;
      try {
        checkWebhooks(options);
      } catch (thrown) {
        error = thrown;
      }
      if (!ToolkitError.is(error)) throw new Error('expected a ToolkitError');
      expect(error.code).to.equal('PLUGIN_INVALID');
      expect(error.message).to.include(path).and.include(says);
      for (const hidden of [secret, mail.secret, 'pass-word', 'token=', 'c2hvcnQga2V5', 'aaaaaaaa'])
        expect(error.message).to.not.include(hidden);
    });

  it('take the same secret twice in one webhook', () => {
    expect(checkWebhooks([{ ...chat, previousSecret: secret }])[0]?.keys).to.have.length(1);
  });

  it('say who may decide', () => {
    expect(webhookWays([chat, mail])).to.deep.equal({ way: 'webhook', names: ['chat', 'mail'] });
    expect(webhookWays([])).to.equal(undefined);
  });
});
