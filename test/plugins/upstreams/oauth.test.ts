import { expect } from 'chai';
import { ToolkitError } from '../../../kernel/index.ts';
import type { UpstreamServer } from '../../../plugins/upstreams/index.ts';
import { settingsOf } from '../../../plugins/upstreams/settings.ts';

const url = 'https://shop.example/mcp';

const refused: readonly (readonly [string, UpstreamServer, string])[] = [
  ['a program', { command: 'server', auth: 'oauth' }, 'expected "url"'],
  ['an address that others read', { url: 'http://shop.example/mcp', auth: 'oauth' }, 'expected https'],
  ['an issuer that others read', { url, auth: 'oauth', oauth: { issuer: 'http://login.example' } }, 'expected https'],
  ['a token beside the login', { url, auth: 'oauth', headers: { authorization: 'Bearer {TOKEN}' } }, 'the header "authorization"'],
  ['a secret of no client', { url, auth: 'oauth', oauth: { clientSecret: { secret: 'SHOP_SECRET' } } }, 'without "clientId"'],
  [
    'two clients',
    { url, auth: 'oauth', oauth: { clientId: 'a', clientMetadata: 'https://tools.example/client' } },
    'remove one of the two',
  ],
  ['a login that nothing uses', { url, oauth: { account: 'caller' } }, 'only a server with "auth: oauth"'],
  ['one session for the accounts of all', { url, auth: 'oauth', perCaller: false, oauth: { account: 'caller' } }, '"account: caller"'],
];

describe('the settings of a server with a login', () => {
  for (const [what, server, message] of refused)
    it(`are refused with ${what}`, () => {
      expect(() => settingsOf('shop', server)).to.throw(ToolkitError, message);
    });

  it('need only its address', () => {
    expect(settingsOf('shop', { url, auth: 'oauth' })).to.include({ auth: 'oauth', isOfCallers: false, perCaller: false });
  });

  it('give each caller a session of its own with account: caller', () => {
    const settings = settingsOf('shop', { url, auth: 'oauth', oauth: { account: 'caller' } });
    expect(settings).to.include({ isOfCallers: true, perCaller: true });
  });

  it('may have other headers, with secrets of the operator', () => {
    expect(settingsOf('shop', { url, auth: 'oauth', headers: { 'X-Team': '{TEAM}' } }).secrets).to.deep.equal(['TEAM']);
  });

  for (const host of ['127.0.0.1', 'localhost', '[::1]'])
    it(`may have http on this machine (${host})`, () => {
      expect(() => settingsOf('shop', { url: `http://${host}:8080/mcp`, auth: 'oauth' })).not.to.throw();
    });
});
