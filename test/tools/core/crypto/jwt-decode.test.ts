import { expect } from 'chai';
import sinon from 'sinon';
import { python } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedTool } from '../time/shared-tool.ts';
import { base64url, optionsWithSecrets } from './signing.ts';

const nowSeconds = Date.parse('2024-02-29T12:00:00Z') / 1000;

function tokenOf(payload: unknown, header: unknown = { alg: 'HS256' }): string {
  return `${base64url(header)}.${base64url(payload)}.c2lnbmF0dXJl`;
}

describe('crypto_jwt_decode', () => {
  const call = sharedTool<Record<string, unknown>>('crypto_jwt_decode');
  const verify = sharedTool('crypto_jwt_verify', optionsWithSecrets({}));
  const decode = (token: string): Promise<Record<string, unknown>> => call({ token });

  beforeEach(() => sinon.useFakeTimers({ now: nowSeconds * 1000, toFake: ['Date'] }));
  afterEach(() => sinon.restore());

  it('gives what Python reads in a token, and says that nobody checked it', async () => {
    const token = tokenOf(
      { sub: 'Jürgen 世界 👋', admin: true, roles: ['a'], nested: { n: 1.5 } },
      { alg: 'RS256', kid: 'ключ', typ: 'JWT' },
    );
    const program = [
      'import base64',
      'header, payload, _ = given.split(".")',
      'read = lambda part: json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))',
      'result = {"header": read(header), "payload": read(payload)}',
    ].join('\n');
    const read = python<object>(program, token);
    expect(await decode(token)).to.deep.equal({ ...read, expires_at: null, expired: null, verified: false });
  });

  const expiries = [
    { exp: nowSeconds + 1, expires_at: '2024-02-29T12:00:01.000Z', expired: false },
    { exp: nowSeconds, expires_at: '2024-02-29T12:00:00.000Z', expired: true },
    { exp: nowSeconds + 0.5, expires_at: '2024-02-29T12:00:00.500Z', expired: false },
    { exp: 0, expires_at: '1970-01-01T00:00:00.000Z', expired: true },
    { exp: 253402300800, expires_at: null, expired: false },
    { exp: 1e300, expires_at: null, expired: false },
    { exp: 1e18, expires_at: null, expired: false },
    { exp: -1e300, expires_at: null, expired: true },
    { exp: '2024-02-29', expires_at: null, expired: null },
    { exp: null, expires_at: null, expired: null },
  ];
  for (const { exp, expires_at, expired } of expiries) {
    it(`reads the expiry ${JSON.stringify(exp)}`, async () => {
      expect(await decode(tokenOf({ exp }))).to.deep.include({ expires_at, expired, verified: false });
    });
  }

  it('reads a token without a signature, with Bearer in front of it and space around it', async () => {
    const unsigned = `${base64url({ alg: 'none' })}.${base64url({ sub: '1' })}.`;
    for (const token of [unsigned, ` Bearer ${unsigned}\n`, `bearer  ${unsigned}`])
      expect(await decode(token)).to.deep.include({ header: { alg: 'none' }, payload: { sub: '1' } });
  });

  it('reads integers beyond 2^53 with all their digits', async () => {
    const { header, payload } = await decode(
      tokenOf(
        '{"id":1915883588174806058,"n":[-9007199254740993,9007199254740991],"exp":1915883588174806058}',
        '{"alg":"HS256","v":9007199254740993}',
      ),
    );
    expect(header).to.deep.equal({ alg: 'HS256', v: '9007199254740993' });
    expect(payload).to.deep.equal({ id: '1915883588174806058', n: ['-9007199254740993', 9007199254740991], exp: '1915883588174806058' });
  });

  it('reads an empty payload', async () => {
    expect(await decode(tokenOf({}))).to.deep.include({ payload: {} });
  });

  it('reads members with the names of prototypes as members', async () => {
    const { payload } = await decode(`${base64url({ alg: 'HS256' })}.${base64url('{"__proto__":{"admin":true},"constructor":1}')}.eA`);
    expect(Object.keys(payload as object).sort()).to.deep.equal(['__proto__', 'constructor']);
    expect({} as { admin?: boolean }).to.not.have.property('admin');
  });

  it('reads a large token', async () => {
    const text = 'ä'.repeat(30_000);
    expect((await decode(tokenOf({ text })))['payload']).to.deep.equal({ text });
  });

  it('ends with an error for a payload that is nested too deeply', async () => {
    await rejection(decode(tokenOf(`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`)), 'OUTPUT_INVALID');
  });

  const body = base64url({ sub: 'private-subject' });
  const none = [
    { what: 'a word', token: 'private-subject', says: 'expected three parts with dots between them, received 1' },
    { what: 'white space', token: ' \n', says: 'received 1' },
    { what: 'two parts', token: `${base64url({ alg: 'HS256' })}.${body}`, says: 'received 2' },
    {
      what: 'an encrypted token',
      token: `${base64url({ alg: 'dir' })}..${body}.${body}.${body}`,
      says: 'it has five parts and is encrypted (JWE)',
    },
    { what: 'base64 with other characters', token: `${base64url({ alg: 'x' })}.${body}=.x`, says: 'expected base64url' },
    { what: 'a token in quotes', token: `"${tokenOf({})}"`, says: 'expected base64url' },
    {
      what: 'a header that is no JSON',
      token: `${base64url('private-subject')}.${body}.x`,
      says: 'its first part (header) is no base64url of a JSON object',
    },
    { what: 'a header that is a list', token: `${base64url([1])}.${body}.x`, says: 'first part (header)' },
    { what: 'no header', token: `.${body}.x`, says: 'first part (header)' },
    { what: 'a payload that is a text', token: tokenOf('"private-subject"'), says: 'its second part (payload)' },
    {
      what: 'a payload that is not UTF-8',
      token: `${base64url({ alg: 'x' })}.${Buffer.from('{"a":"\xff"}', 'latin1').toString('base64url')}.x`,
      says: 'second part (payload)',
    },
  ];
  for (const { what, token, says } of none) {
    for (const [tool, execute, more] of [
      ['crypto_jwt_decode', call, {}],
      ['crypto_jwt_verify', verify, { algorithms: ['RS256'], jwks_url: 'https://issuer.example/' }],
    ] as const) {
      it(`is no work for ${tool}: ${what}, of which the error shows nothing`, async () => {
        const error = await rejection(execute({ token, ...more }), 'INVALID_PARAMETERS');
        expect(error.message).to.include('Parameter "token" is no JSON Web Token').and.include(says);
        expect(JSON.stringify([error.message, error]))
          .to.not.include('private-subject')
          .and.not.include(body);
      });
    }
  }

  for (const [parameters, says] of [
    [{}, 'token is required'],
    [{ token: '' }, 'token expected'],
    [{ token: 'e'.repeat(100_001) }, 'received string of 100001 characters'],
  ] as const) {
    it(`refuses parameters of which ${says}`, async () => {
      const { message } = await rejection(call(parameters), 'INVALID_PARAMETERS');
      expect(message).to.include(says);
    });
  }
});
