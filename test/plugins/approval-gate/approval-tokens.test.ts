import { createHash, createHmac } from 'node:crypto';
import path from 'node:path';
import { expect } from 'chai';
import { ApprovalTokens } from '../../../plugins/approval-gate/approval-tokens.ts';
import { usedTokenFolder } from '../../../plugins/approval-gate/options.ts';

const key = 'a key of thirty-two bytes or more';
const subject = '{"tool":"pay"}';
const startedAt = 1_900_000_000_000;

/** Tokens with a clock that the test moves. */
function tokensAt(options: { key?: string; ttlMs?: number } = {}) {
  const clock = { now: startedAt };
  return { clock, tokens: new ApprovalTokens({ key, ttlMs: 1000, now: () => clock.now, ...options }) };
}

/** The token with one bit of its bytes changed. */
function flipped(token: string, bit: number): string {
  const bytes = Buffer.from(token, 'base64url');
  bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return bytes.toString('base64url');
}

const withBytes = (token: string, change: (bytes: Buffer) => Uint8Array): string =>
  Buffer.from(change(Buffer.from(token, 'base64url'))).toString('base64url');

describe('an approval token', () => {
  it('counts once, for its subject', () => {
    const { tokens } = tokensAt();
    const token = tokens.issue(subject, 'ada');
    expect(token).to.match(/^[A-Za-z0-9_-]{72}$/);
    expect(tokens.consume(token, subject)).to.equal(undefined);
    expect(tokens.consume(token, subject)).to.equal('used');
  });

  it('is an HMAC-SHA256 over its nonce, its expiry, where it is spent and the subject', () => {
    const bytes = Buffer.from(tokensAt().tokens.issue(subject, 'ada'), 'base64url');
    expect(bytes.readUIntBE(16, 6)).to.equal(startedAt + 1000);
    const expected = createHmac('sha256', key).update(bytes.subarray(0, 22)).update(`\n${subject}`).digest('hex');
    expect(bytes.toString('hex', 22)).to.equal(expected);
  });

  it('is another one each time', () => {
    const { tokens } = tokensAt();
    expect(new Set(Array.from({ length: 100 }, () => tokens.issue(subject, 'ada'))).size).to.equal(100);
  });

  it('is refused with any one bit changed, and is not spent by that', () => {
    const { tokens } = tokensAt();
    const token = tokens.issue(subject, 'ada');
    const answers = Array.from({ length: 54 * 8 }, (_, bit) => tokens.consume(flipped(token, bit), subject));
    expect(new Set(answers)).to.deep.equal(new Set(['foreign']));
    expect(tokens.consume(token, subject)).to.equal(undefined);
  });

  const forged: readonly { what: string; forge: (token: string) => string; says: string }[] = [
    { what: 'nothing', forge: () => '', says: 'malformed' },
    { what: 'without its last character', forge: (token) => token.slice(0, -1), says: 'malformed' },
    { what: 'cut after its nonce and expiry', forge: (token) => token.slice(0, 30), says: 'malformed' },
    { what: 'with one character more', forge: (token) => `${token}A`, says: 'malformed' },
    { what: 'twice in a row', forge: (token) => token + token, says: 'malformed' },
    { what: 'with padding', forge: (token) => `${token}==`, says: 'malformed' },
    { what: 'with a space before it', forge: (token) => ` ${token}`, says: 'malformed' },
    { what: 'with a line break after it', forge: (token) => `${token}\n`, says: 'malformed' },
    { what: 'with a NUL in it', forge: (token) => `${token.slice(0, 71)}\0`, says: 'malformed' },
    { what: 'in the other alphabet of base64', forge: (token) => `${token.slice(0, 71)}+`, says: 'malformed' },
    { what: 'in hex', forge: (token) => Buffer.from(token, 'base64url').toString('hex'), says: 'malformed' },
    { what: 'in wide letters', forge: (token) => `${token.slice(0, 71)}\uff21`, says: 'malformed' },
    { what: 'as a JSON web token that says "none"', forge: () => 'eyJhbGciOiJub25lIn0.eyJ0b29sIjoicGF5In0.', says: 'malformed' },
    { what: 'with upper and lower case exchanged', forge: (token) => exchangedCase(token), says: 'foreign' },
    { what: 'with a signature of zeros', forge: (token) => withBytes(token, (bytes) => bytes.fill(0, 22)), says: 'foreign' },
    { what: 'all zeros', forge: (token) => withBytes(token, (bytes) => bytes.fill(0)), says: 'foreign' },
    { what: 'with a later expiry', forge: (token) => withBytes(token, later), says: 'foreign' },
    { what: 'with another nonce', forge: (token) => withBytes(token, (bytes) => bytes.fill(7, 0, 16)), says: 'foreign' },
    { what: 'signed with a plain SHA-256', forge: (token) => signed(token, (head) => sha256(head)), says: 'foreign' },
    { what: 'signed with an empty key', forge: (token) => signed(token, (head) => hmac('', head)), says: 'foreign' },
    { what: 'signed with the digest of the key', forge: (token) => signed(token, (head) => hmac(sha256(key), head)), says: 'foreign' },
    {
      what: 'signed by SHA-512, cut',
      forge: (token) => signed(token, (head) => hmac(key, head, 'sha512').subarray(0, 32)),
      says: 'foreign',
    },
  ];
  for (const { what, forge, says } of forged) {
    it(`is refused ${what}`, () => {
      const { tokens } = tokensAt();
      const token = tokens.issue(subject, 'ada');
      expect(tokens.consume(forge(token), subject)).to.equal(says);
      expect(tokens.consume(token, subject)).to.equal(undefined);
    });
  }

  it('is refused for another subject, and is not spent by that', () => {
    const { tokens } = tokensAt();
    const token = tokens.issue(subject, 'ada');
    expect(tokens.consume(token, `${subject} `)).to.equal('foreign');
    expect(tokens.consume(token, subject)).to.equal(undefined);
  });

  it('cannot give a part of its expiry to the subject', () => {
    const { tokens } = tokensAt();
    const bytes = Buffer.from(tokens.issue('\0subject', 'ada'), 'base64url');
    const moved = Buffer.concat([bytes.subarray(0, 21), Buffer.from('\0'), bytes.subarray(22)]);
    expect(tokens.consume(moved.toString('base64url'), 'subject')).to.equal('foreign');
  });

  it('is refused with another key', () => {
    const token = tokensAt().tokens.issue(subject, 'ada');
    expect(tokensAt({ key: `${key}.` }).tokens.consume(token, subject)).to.equal('foreign');
    expect(tokensAt().tokens.consume(token, subject)).to.equal(undefined);
  });

  for (const { afterMs, says } of [
    { afterMs: 999, says: undefined },
    { afterMs: 1000, says: 'expired' },
    { afterMs: 1_000_000_000, says: 'expired' },
  ]) {
    it(`${says === undefined ? 'counts' : 'is refused'} ${afterMs} ms after it was minted, when it lives 1000`, () => {
      const { tokens, clock } = tokensAt();
      const token = tokens.issue(subject, 'ada');
      clock.now += afterMs;
      expect(tokens.consume(token, subject)).to.equal(says);
    });
  }

  it('can tell what has changed since it was minted, however many are minted for another tenant', () => {
    const { tokens } = tokensAt();
    const token = tokens.issue('{"tool":"pay","parameters":"a"}', 'ada');
    for (let count = 0; count < 2000; count++) tokens.issue(subject, 'bob');
    expect(tokens.describeChanges(token, '{"tool":"pay","parameters":"b"}')).to.have.lengthOf(1);
  });

  it('stays used and expired when the clock is set back', () => {
    const { tokens, clock } = tokensAt();
    const [used, unused] = [tokens.issue(subject, 'ada'), tokens.issue(subject, 'ada')];
    tokens.consume(used, subject);
    clock.now += 5000;
    // Forgets what has expired by now.
    tokens.consume(tokens.issue(subject, 'ada'), subject);
    clock.now = startedAt;
    expect([tokens.consume(used, subject), tokens.consume(unused, subject)]).to.deep.equal(['expired', 'expired']);
  });
});

describe('the folder of used tokens', () => {
  it('is the same for all that have the key, and its name does not tell the key', () => {
    const name = path.basename(usedTokenFolder(key, '/state'));
    expect(name)
      .to.match(/^[0-9a-f]{32}$/)
      .and.not.equal(createHash('sha256').update(key).digest('hex').slice(0, 32));
    expect([usedTokenFolder(key, '/state'), usedTokenFolder(`${key}.`, '/state') === name]).to.deep.equal([
      path.resolve('/state/approvals', name),
      false,
    ]);
  });
});

function exchangedCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
}

function later(bytes: Buffer): Buffer {
  bytes.writeUIntBE(bytes.readUIntBE(16, 6) + 1, 16, 6);
  return bytes;
}

function signed(token: string, sign: (head: Buffer) => Uint8Array): string {
  return withBytes(token, (bytes) => Buffer.concat([bytes.subarray(0, 22), sign(bytes.subarray(0, 22))]));
}

function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).update(subject).digest();
}

function hmac(secret: string | Uint8Array, head: Uint8Array, algorithm = 'sha256'): Buffer {
  return createHmac(algorithm, secret).update(head).update(subject).digest();
}
