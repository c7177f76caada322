import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { appRole, kubernetes, type LoginCase, roleEnv, start } from './login-case.ts';

describe('secrets-vault: tokens of a login', () => {
  const refused: { what: string; more: Partial<LoginCase>; says: string }[] = [
    {
      what: 'a wrong secret ID',
      more: { auth: { method: 'approle' }, env: { ...roleEnv, VAULT_SECRET_ID: 'hidden-wrong-id' } },
      says: 'refuses "auth/approle/login" (400: invalid role or secret ID). Check VAULT_ROLE_ID and VAULT_SECRET_ID; a secret ID may be used up or expired.',
    },
    {
      what: 'no secret ID',
      more: { auth: { method: 'approle' }, env: { VAULT_ROLE_ID: appRole.roleId } },
      says: '(400: missing secret_id). Check VAULT_ROLE_ID and VAULT_SECRET_ID',
    },
    {
      what: 'no role ID',
      more: { auth: { method: 'approle' }, env: { VAULT_SECRET_ID: appRole.secretId } },
      says: 'The login to Vault has no role: expected VAULT_ROLE_ID, or auth.roleId. Set it.',
    },
    {
      what: 'a mount that is none',
      more: { auth: { method: 'approle', mount: 'other' }, env: roleEnv },
      says: 'has nothing at "auth/other/login" (404: no handler for route "auth/other/login". route entry not found.). Enable the auth method there, or correct auth.mount or the namespace.',
    },
    {
      what: 'a mount that leaves its place',
      more: { auth: { method: 'approle', mount: '../sys' }, env: roleEnv },
      says: 'The option auth.mount is no path of Vault: expected names with single slashes between them, received string "../sys".',
    },
    {
      what: 'a service account without a token',
      more: { auth: { method: 'kubernetes', role: 'shop', jwtPath: '/nowhere/token' } },
      says: 'The file "/nowhere/token" (auth.jwtPath) cannot be read: expected a token, received nothing: it does not exist.',
    },
  ];
  for (const { what, more, says } of refused) {
    it(`are not got with ${what}`, async () => {
      const { asked } = await start({ auth: undefined, ...more });
      const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(error.message).to.include(says);
      expect(error.retryable).to.equal(false);
      expect(JSON.stringify(error)).to.not.include('hidden');
    });
  }

  for (const [what, files, role, says] of [
    ['another role', { token: kubernetes.jwt }, 'other', '(400: invalid role name "other"). Check the role "other"'],
    ['a token that Kubernetes does not know', { token: 'hidden-jwt' }, 'shop', '(403: permission denied). Check the role "shop", and'],
    ['an empty file', { token: '\n' }, 'shop', '(auth.jwtPath) is empty: expected the token of the service account.'],
  ] as const) {
    it(`are not got from Kubernetes with ${what}`, async () => {
      const jwtPath = path.join(await temporaryFolder(files), 'token');
      const { asked } = await start({ auth: { method: 'kubernetes', role, jwtPath } });
      const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(error.message).to.include(says).and.to.not.include('hidden');
      expect(error.retryable).to.equal(false);
    });
  }

  for (const [what, body, says] of [
    ['nothing', { auth: null }, 'gave no token at "auth/approle/login": expected "auth.client_token". Check VAULT_ADDR and auth.mount.'],
    ['something that is not JSON', '<html>', 'expected "auth.client_token"'],
    ['a list', [], 'expected "auth.client_token"'],
    ['an empty token', { auth: { client_token: '' } }, 'expected "auth.client_token"'],
    [
      'the wish for a second factor',
      { auth: { client_token: '', mfa_requirement: { mfa_request_id: 'x' } } },
      'it asks for a second factor. Exempt this login.',
    ],
    ['a token that a header cannot hold', { auth: { client_token: 'hidden\n1' } }, 'from the login cannot be sent'],
  ] as const) {
    it(`are not got when the login gives ${what}`, async () => {
      const { server, asked } = await start({ auth: { method: 'approle' }, env: roleEnv });
      server.fault = { kind: 'answer', answer: { status: 200, body } };
      const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(error.message).to.include(says).and.to.not.include('hidden');
      expect(error.retryable).to.equal(false);
    });
  }
});
