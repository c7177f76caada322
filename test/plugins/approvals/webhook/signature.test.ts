import { createHmac, createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import { isSignedBy, isTimely, signedHeaders, signedRequest } from '../../../../plugins/approvals/webhook/signature.ts';
import { keyOf } from '../../../../plugins/approvals/webhook/webhook-key.ts';
import { secret, signed } from './records.ts';

const key = createSecretKey(Buffer.from(secret));
const other = createSecretKey(Buffer.from('another secret of the tests'));
const body = '{"a":1}';

function isValid(headers: Readonly<Record<string, string>>, text = body): boolean {
  const request = signedRequest(headers, text);
  return request !== undefined && isSignedBy(request, [key]);
}

describe('the signature of a webhook', () => {
  it('is that of the libraries of Standard Webhooks', () => {
    // Their tests sign this message (https://github.com/standard-webhooks/standard-webhooks, libraries).
    const parts = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' };
    const example = keyOf('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    expect(signedHeaders(parts, example === undefined ? [] : [example])['webhook-signature']).to.equal(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  it('is written for each key, and one that fits is enough', () => {
    const headers = signedHeaders({ id: 'm1', timestamp: 1700000000, body }, [other, key]);
    expect(headers['webhook-signature']?.split(' ')).to.have.length(2);
    expect(isValid(headers)).to.equal(true);
    expect(isValid(signedHeaders({ id: 'm1', timestamp: 1700000000, body }, [other]))).to.equal(false);
  });

  it('of another version is left out', () => {
    const headers = signed(body);
    const ours = headers['webhook-signature'];
    expect(isValid({ ...headers, 'webhook-signature': `v1a,abc ${ours} v2,x` })).to.equal(true);
    expect(isValid({ ...headers, 'webhook-signature': ours.replace('v1,', 'v2,') })).to.equal(false);
  });

  it('covers the text of the body byte for byte', () => {
    const headers = signed(body);
    expect(isValid(headers)).to.equal(true);
    for (const changed of ['{"a": 1}', '{"a":1}\n', '\uFEFF{"a":1}', '{"A":1}', ''])
      expect(isValid(headers, changed), changed).to.equal(false);
  });

  it('covers the id and the time', () => {
    const headers = signed(body, { id: 'm1', timestamp: 1700000000 });
    expect(isValid({ ...headers, 'webhook-id': 'm2' })).to.equal(false);
    expect(isValid({ ...headers, 'webhook-timestamp': '1700000001' })).to.equal(false);
  });

  const malformed: readonly (readonly [what: string, change: Readonly<Record<string, string>>])[] = [
    ['no id', { 'webhook-id': '' }],
    ['an id with a dot, which would make two messages of one signature', { 'webhook-id': 'a.1' }],
    ['an id of 201 characters', { 'webhook-id': 'a'.repeat(201) }],
    ['two ids', { 'webhook-id': 'a, b' }],
    ['no time', { 'webhook-timestamp': '' }],
    ['a time with a fraction', { 'webhook-timestamp': '1700000000.5' }],
    ['a time with an exponent', { 'webhook-timestamp': '17e8' }],
    ['a time in hexadecimal', { 'webhook-timestamp': '0x6553f100' }],
    ['a time with a zero before it', { 'webhook-timestamp': '01700000000' }],
    ['no signature', { 'webhook-signature': '' }],
    ['a signature without its version', { 'webhook-signature': 'A'.repeat(43) }],
    ['a signature that is cut', { 'webhook-signature': 'v1,AAAA' }],
    ['a signature that is too long', { 'webhook-signature': `v1,${'A'.repeat(43)}==` }],
    ['hundreds of signatures', { 'webhook-signature': `v1,${'A'.repeat(43)}= `.repeat(100) }],
  ];
  for (const [what, change] of malformed)
    it(`is not read from headers with ${what}`, () => {
      const id = change['webhook-id'] ?? 'm1';
      const timestamp = change['webhook-timestamp'] ?? '1700000000';
      expect(signedRequest({ ...signed(body, { id, timestamp }), ...change }, body)).to.equal(undefined);
    });

  it('holds for five minutes before and after the clock', () => {
    const now = 1_700_000_000_000;
    const at = (timestamp: number): boolean => isTimely({ id: 'm', timestamp, body }, now);
    expect([1_699_999_700, 1_700_000_300].map(at)).to.deep.equal([true, true]);
    expect([1_699_999_699, 1_700_000_301, 1].map(at)).to.deep.equal([false, false, false]);
  });
});

describe('the key of a webhook', () => {
  it('is the text of the secret, or the bytes of base64 after whsec_', () => {
    const bytes = Buffer.alloc(24, 7);
    const mac = (text: string): string | undefined => {
      const made = keyOf(text);
      return made && createHmac('sha256', made).update('x').digest('hex');
    };
    expect(mac(secret)).to.equal(createHmac('sha256', secret).update('x').digest('hex'));
    expect(mac(`whsec_${bytes.toString('base64')}`)).to.equal(createHmac('sha256', bytes).update('x').digest('hex'));
  });

  for (const text of ['whsec_', `whsec_${Buffer.alloc(23).toString('base64')}`, `whsec_${'!'.repeat(32)}`, `whsec_${'A'.repeat(33)}`])
    it(`is not made of ${text}`, () => {
      expect(keyOf(text)).to.equal(undefined);
    });
});
