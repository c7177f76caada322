// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of definitions look like that
import { expect } from 'chai';
import { type OAuth2Block, settingsOf } from '../../../../plugins/shared/oauth/provider-settings.ts';
import type { OAuthSettings } from '../../../../plugins/shared/oauth/types.ts';
import { rejection } from '../../../support/rejection.ts';

const least: OAuth2Block = {
  auth_url: 'https://acme.example/authorize',
  token_url: 'https://acme.example/token',
  client_id: '${ACME_CLIENT_ID}',
  client_secret: '${ACME_CLIENT_SECRET}',
};

const known: Readonly<Record<string, string>> = { ACME_CLIENT_ID: 'id-1', ACME_CLIENT_SECRET: 'secret-1' };

function made(oauth2: Partial<OAuth2Block>, values: Readonly<Record<string, string>> = known, options = {}): Promise<OAuthSettings> {
  return settingsOf({ provider: { name: 'acme' }, oauth2: { ...least, ...oauth2 } }, (name) => values[name], options);
}

describe('the OAuth settings of a provider definition', () => {
  it('have the defaults of the standard, and PKCE', async () => {
    expect(await made({})).to.deep.equal({
      provider: 'acme',
      grant: 'code',
      authUrl: 'https://acme.example/authorize',
      tokenUrl: 'https://acme.example/token',
      clientId: 'id-1',
      clientSecret: 'secret-1',
      clientAuth: 'post',
      tokenBody: 'form',
      pkce: true,
      scopeSeparator: ' ',
      authorizationParams: {},
      tokenParams: {},
      provides: {},
      refreshMarginMs: 60_000,
      operatorOrigins: [],
    });
  });

  it('have all keys of the definition', async () => {
    const settings = await made(
      {
        grant: 'device',
        device_url: 'https://{TENANT}.acme.example/device',
        refresh_url: '{INSTANCE}/refresh',
        revoke_url: 'https://acme.example/apps/{client_id}/token',
        revoke_method: 'delete',
        issuer: 'https://acme.example/{TENANT}/v2.0',
        client_auth: 'basic',
        token_body: 'json',
        pkce: false,
        scope_separator: ',',
        scope_includes: { repo: ['public_repo'] },
        check_scopes: true,
        access_type: 'offline',
        approval_prompt: 'force',
        authorization_params: { owner: 'user', tenant: '${TENANT}' },
        token_params: { audience: 'api' },
        provides: { ACME_TOKEN: 'access_token' },
        account_path: 'id_token.email',
        refresh_margin_ms: 5,
      },
      { ...known, TENANT: 'acme-eu', INSTANCE: 'https://eu.acme.example/base/' },
      { operatorOrigins: ['http://127.0.0.1:1'] },
    );
    expect(settings).to.deep.include({
      grant: 'device',
      deviceUrl: 'https://acme-eu.acme.example/device',
      refreshUrl: 'https://eu.acme.example/base/refresh',
      revokeUrl: 'https://acme.example/apps/id-1/token',
      revokeMethod: 'delete',
      issuer: 'https://acme.example/acme-eu/v2.0',
      clientAuth: 'basic',
      tokenBody: 'json',
      pkce: false,
      scopeSeparator: ',',
      scopeIncludes: { repo: ['public_repo'] },
      checksScopes: true,
      authorizationParams: { access_type: 'offline', approval_prompt: 'force', owner: 'user', tenant: 'acme-eu' },
      tokenParams: { audience: 'api' },
      provides: { ACME_TOKEN: 'access_token' },
      accountPath: 'id_token.email',
      refreshMarginMs: 5,
      operatorOrigins: ['http://127.0.0.1:1'],
    });
  });

  it('need no secret for a public client, nor for a device', async () => {
    expect(await made({ client_secret: undefined }))
      .to.include({ clientAuth: 'none' })
      .and.not.have.property('clientSecret');
    expect(await made({ client_auth: 'none' }, { ACME_CLIENT_ID: 'id-1' }))
      .to.include({ clientAuth: 'none' })
      .and.not.have.property('clientSecret');
    const device = await made({ device_url: 'https://acme.example/device' }, { ACME_CLIENT_ID: 'id-1' }, { grant: 'device' });
    expect(device).to.include({ grant: 'device', clientAuth: 'none' });
    const later = await made({ device_url: 'https://acme.example/device' }, { ACME_CLIENT_ID: 'id-1' });
    expect(later, 'where no login begins').to.include({ grant: 'code', clientAuth: 'none' });
  });

  it('name everything that is to be set', async () => {
    const { message, details } = await rejection(
      made({ device_url: 'https://{ACME_SHOP}.acme.example' }, { ACME_CLIENT_SECRET: '' }, { byDevice: false }),
      'CONFIG_INVALID',
    );
    expect(message).to.include('Set ACME_CLIENT_ID and ACME_CLIENT_SECRET and ACME_SHOP');
    expect(details['missing']).to.deep.equal(['ACME_CLIENT_ID', 'ACME_CLIENT_SECRET', 'ACME_SHOP']);
  });

  const refused: readonly [string, () => Promise<unknown>, string][] = [
    ['no oauth2', () => settingsOf({ provider: { name: 'acme' } }, () => undefined), 'has no "oauth2"'],
    ['no client id', () => made({ client_id: undefined }), 'no "client_id"'],
    ['no address for the browser', () => made({ auth_url: undefined }), 'no "auth_url"'],
    ['no address for devices', () => made({ grant: 'device' }), 'no "device_url"'],
  ];
  for (const [name, work, says] of refused)
    it(`are refused with ${name}`, async () => {
      expect((await rejection(work(), 'CONFIG_INVALID')).message).to.include(says);
    });

  it('need no address for the browser by client credentials', async () => {
    expect(await made({ auth_url: undefined, grant: 'client_credentials' })).to.not.have.property('authUrl');
  });
});

describe('a value in an address', () => {
  const filled: readonly [string, string, string][] = [
    ['https://{X}.acme.example/token', 'eu-1', 'https://eu-1.acme.example/token'],
    ['https://{X}/token', 'login.acme.example:8443', 'https://login.acme.example:8443/token'],
    ['https://acme.example/{X}/token', 'a b/../c', 'https://acme.example/a%20b%2F..%2Fc/token'],
    ['https://acme.example/token?t={X}', 'a&b=c#d', 'https://acme.example/token?t=a%26b%3Dc%23d'],
    ['{X}', 'https://acme.example/token', 'https://acme.example/token'],
    ['${X}', 'http://127.0.0.1:9/token?x=1', 'http://127.0.0.1:9/token?x=1'],
    ['{X}/token', 'https://acme.example/', 'https://acme.example/token'],
  ];
  for (const [address, value, expected] of filled)
    it(`fills ${address} with ${value}`, async () => {
      expect((await made({ token_url: address }, { ...known, X: value })).tokenUrl).to.equal(expected);
    });

  const hostile: readonly [string, string][] = [
    ['https://{X}.acme.example/token', 'evil.example/'],
    ['https://{X}.acme.example/token', 'evil.example#'],
    ['https://{X}.acme.example/token', 'evil.example?'],
    ['https://{X}.acme.example/token', 'evil.example\\'],
    ['https://{X}.acme.example/token', 'user@evil'],
    ['https://{X}.acme.example/token', 'evil.example:443'],
    ['https://{X}.acme.example/token', 'a\nb'],
    ['https://{X}.acme.example/token', '%2f'],
    ['https://{X}/token', 'evil.example:443/x'],
    ['https://acme.example/{X}/token', '..'],
    ['https://acme.example/{X}/token', '.'],
    ['{X}/token', 'javascript:alert(1)'],
    ['{X}/token', 'https://u:p@acme.example'],
    ['{X}/token', 'https://acme.example?x='],
    ['{X}/token', 'https://acme.example#'],
    ['{X}.evil.example/token', 'https://acme.example'],
    ['{X}@evil.example/token', 'https://acme.example'],
    ['{X}/token', 'acme.example'],
  ];
  for (const [address, value] of hostile)
    it(`cannot lead ${address} elsewhere: ${JSON.stringify(value)}`, async () => {
      const { message } = await rejection(made({ token_url: address }, { ...known, X: value }), 'CONFIG_INVALID');
      expect(message)
        .to.include('its "token_url" cannot be filled')
        .and.include('X')
        .and.not.include(`${value}`.length > 1 ? value : '\u0000');
    });
});
