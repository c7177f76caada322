import { inspect } from 'node:util';
import { expect } from 'chai';
import type { Fault } from '../../../fixtures/servers/aws-secrets-manager.ts';
import { rejection } from '../../support/rejection.ts';
import { asker, awsEnvironment, manager, shop, unspeakable } from './asking.ts';

const place = 'The AWS secret "toolkit/credentials" in eu-central-1';
const checkCredentials =
  'Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN or the profile, the region, and the clock of this machine.';
const denied =
  'User: arn:aws:iam::123456789012:user/shop is not authorized to perform: secretsmanager:GetSecretValue on resource: toolkit/credentials';
const quoting = 'The Canonical String should have been x-amz-security-token:session-token-of-the-operator value-of-shop-token';

/** Service errors by name, and what the message says after the place. */
const errors: readonly { name: string; message?: string; says: string }[] = [
  { name: 'ResourceNotFoundException', says: 'does not exist (ResourceNotFoundException). Create it, or correct secretId or region.' },
  {
    name: 'AccessDeniedException',
    message: denied,
    says: `may not be read with these credentials (AccessDeniedException). Allow them the IAM action secretsmanager:GetSecretValue on it, and kms:Decrypt where it has a key of its own. AWS says: ${denied}`,
  },
  {
    name: 'DecryptionFailure',
    says: 'cannot be decrypted (DecryptionFailure). Allow kms:Decrypt on its key beside secretsmanager:GetSecretValue, and check that the key is enabled.',
  },
  {
    name: 'InvalidRequestException',
    says: 'cannot be read in its present state (InvalidRequestException). It may be marked for deletion: restore it, or correct secretId.',
  },
  {
    name: 'InvalidParameterException',
    says: 'is refused as a name (InvalidParameterException). Correct secretId: a name or a full ARN.',
  },
  {
    name: 'ExpiredTokenException',
    message: quoting,
    says: 'could not be read: the AWS credentials have expired (ExpiredTokenException). Renew them, such as with "aws sso login", and try again.',
  },
  {
    name: 'InvalidSignatureException',
    message: quoting,
    says: `could not be read: AWS does not accept the credentials (InvalidSignatureException). ${checkCredentials}`,
  },
  {
    name: 'UnrecognizedClientException',
    message: quoting,
    says: `could not be read: AWS does not accept the credentials (UnrecognizedClientException). ${checkCredentials}`,
  },
  {
    name: 'SomethingNewException',
    message: quoting,
    says: 'could not be read: no answer of Secrets Manager (SomethingNewException, HTTP 400). Check the region and the endpoint.',
  },
];

/** Answers that are not of AWS. */
const strange: readonly { what: string; fault: Fault; says: string }[] = [
  { what: 'a page', fault: { kind: 'raw', status: 200, text: '<html>value-of-shop-token</html>' }, says: 'SyntaxError, HTTP 200' },
  { what: 'a page with 403', fault: { kind: 'raw', status: 403, text: 'value-of-shop-token' }, says: 'SyntaxError, HTTP 403' },
  {
    what: 'a redirect',
    fault: { kind: 'raw', status: 302, text: '', headers: { location: 'http://127.0.0.1:1/' } },
    says: 'Unknown, HTTP 302',
  },
];

const content: readonly { what: string; holds: string | Uint8Array; received: string }[] = [
  { what: 'text that is not JSON', holds: 'value-of-shop-token', received: 'text that is not JSON' },
  { what: 'half a JSON object', holds: '{"SHOP_TOKEN":"value-of-shop-token"', received: 'text that is not JSON' },
  { what: 'nothing', holds: '', received: 'text that is not JSON' },
  { what: 'a JSON string', holds: '"value-of-shop-token"', received: 'another JSON value' },
  { what: 'null', holds: 'null', received: 'another JSON value' },
  { what: 'a list', holds: '["value-of-shop-token"]', received: 'a JSON array' },
  { what: 'bytes', holds: Buffer.from('{"SHOP_TOKEN":"value-of-shop-token"}'), received: 'a binary value' },
];

describe('AWS that refuses', () => {
  awsEnvironment();

  for (const { name, message, says } of errors) {
    it(`is an error that says what to do about ${name}`, async () => {
      const { server, asked } = await shop();
      server.fault = { kind: 'error', name, ...(message === undefined ? {} : { message }) };
      const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(error.message).to.equal(`${place} ${says}`);
      expect(error.details).to.include({ awsError: name, status: 400, requestId: 'request-1', retryable: false });
      for (const text of unspeakable) expect(inspect(error, { showHidden: true, depth: 9 })).to.not.include(text);
    });
  }

  for (const { what, fault, says } of strange) {
    it(`is not AWS when it answers with ${what}`, async () => {
      const { server, asked } = await shop();
      server.fault = fault;
      const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(error.message).to.equal(
        `${place} could not be read: no answer of Secrets Manager (${says}). Check the region and the endpoint.`,
      );
      expect(error.retryable).to.equal(false);
      for (const text of unspeakable) expect(inspect(error, { showHidden: true, depth: 9 })).to.not.include(text);
    });
  }

  it('is an error when the connection cannot be secured', async () => {
    const { server } = await shop();
    const secured = await asker({ endpoint: server.url.replace('http:', 'https:') });
    const error = await rejection(secured.ask(), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.match(
      /cannot be read: the connection failed \(\w+\)\. Check the endpoint and its certificate; NODE_EXTRA_CA_CERTS names/,
    );
    expect(error.retryable).to.equal(false);
  });

  for (const { what, holds, received } of content) {
    it(`gives nothing when the secret holds ${what}, and does not show it`, async () => {
      const { asked } = await shop(holds);
      const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(error.message).to.equal(
        `${place} cannot be used: expected text with a JSON object of names and values, received ${received}. Store {"NAME": "value"} as its secret string.`,
      );
      expect(error.retryable).to.equal(false);
      for (const text of unspeakable) expect(inspect(error, { showHidden: true, depth: 9 })).to.not.include(text);
    });
  }

  it('names the entry that it does not have', async () => {
    const server = await manager();
    const error = await rejection((await asker({ endpoint: server.url, secretId: 'shop/credentials' })).ask(), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.include('The AWS secret "shop/credentials" in eu-central-1 does not exist');
  });

  it('refuses a signature for another region', async () => {
    const server = await manager({ region: 'us-west-2' });
    const error = await rejection((await asker({ endpoint: server.url })).ask(), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.include('AWS does not accept the credentials (InvalidSignatureException)');
    expect(error.retryable).to.equal(false);
  });
});
