import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { type OpenedSeal, Seal } from '../../../../plugins/shared/keys/seal.ts';

const key = Buffer.alloc(32, 7);
const startedAt = 1_900_000_000_000;
const payload = { caller: 'ada', version: '2025-11-25', nested: { list: [1, null, 'é'] } };

/** Seals with a clock that the test moves. */
function sealAt({ purpose = 'session', keys = [key] }: { purpose?: string; keys?: readonly Uint8Array[] } = {}) {
  const clock = { now: startedAt };
  return { clock, seal: new Seal({ purpose, keys: () => keys, now: () => clock.now }) };
}

const withBytes = (text: string, change: (bytes: Buffer) => Uint8Array): string =>
  Buffer.from(change(Buffer.from(text, 'base64url'))).toString('base64url');

const flipped = (text: string, bit: number): string =>
  withBytes(text, (bytes) => {
    bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    return bytes;
  });

/** The text with a signature made by `sign` of what is signed. */
const signedBy = (text: string, sign: (signed: Buffer) => Uint8Array): string =>
  withBytes(text, (bytes) => Buffer.concat([bytes.subarray(0, -32), sign(bytes.subarray(0, -32))]));

describe('a seal', () => {
  it('opens to what was sealed, with an id of its own and when it expires', () => {
    const { seal } = sealAt();
    const [first, second] = [seal.verify(seal.sign(payload, 1000)), seal.verify(seal.sign(payload, 1000))] as [OpenedSeal, OpenedSeal];
    expect([first.payload, first.expiresAt]).to.deep.equal([payload, startedAt + 1000]);
    expect(first.id).to.match(/^[0-9a-f]{32}$/);
    expect(second.id).to.not.equal(first.id);
  });

  it('is a text that a header, a URL and JSON take as it is', () => {
    expect(sealAt().seal.sign({ text: '"\\\r\n;=, é\u0000' }, 1000)).to.match(/^[A-Za-z0-9_-]+$/);
  });

  it('is refused with any one bit changed', () => {
    const { seal } = sealAt();
    const text = seal.sign(payload, 1000);
    const bits = Buffer.from(text, 'base64url').length * 8;
    const answers = Array.from({ length: bits - 8 }, (_, bit) => seal.verify(flipped(text, bit + 8)));
    expect(new Set(answers)).to.deep.equal(new Set(['foreign']));
    expect(new Set(Array.from({ length: 8 }, (_, bit) => seal.verify(flipped(text, bit))))).to.deep.equal(new Set(['malformed']));
  });

  const forged: readonly { what: string; forge: (text: string) => string; says: string }[] = [
    { what: 'that is empty', forge: () => '', says: 'malformed' },
    { what: 'with nothing but a head', forge: (text) => text.slice(0, 30), says: 'malformed' },
    { what: 'without its last character', forge: (text) => text.slice(0, -1), says: 'malformed or foreign' },
    { what: 'without its last bytes', forge: (text) => withBytes(text, (bytes) => bytes.subarray(0, -3)), says: 'foreign' },
    { what: 'with a byte more', forge: (text) => withBytes(text, (bytes) => Buffer.concat([bytes, Buffer.from('A')])), says: 'foreign' },
    { what: 'twice in a row', forge: (text) => text + text, says: 'malformed or foreign' },
    { what: 'with padding', forge: (text) => `${text}==`, says: 'malformed' },
    { what: 'with a space before it', forge: (text) => ` ${text}`, says: 'malformed' },
    { what: 'with a line break in it', forge: (text) => `${text.slice(0, 40)}\n${text.slice(40)}`, says: 'malformed' },
    { what: 'with a NUL behind it', forge: (text) => `${text}\0`, says: 'malformed' },
    { what: 'in wide letters', forge: (text) => `${text.slice(0, -1)}\uff21`, says: 'malformed' },
    { what: 'in hex', forge: (text) => Buffer.from(text, 'base64url').toString('hex'), says: 'malformed' },
    {
      what: 'as a JSON web token that says "none"',
      forge: () => `eyJhbGciOiJub25lIn0.eyJjYWxsZXIiOiJhZGEifQ.${'A'.repeat(43)}`,
      says: 'malformed',
    },
    { what: 'of another format', forge: (text) => withBytes(text, (bytes) => bytes.fill(2, 0, 1)), says: 'malformed' },
    { what: 'too long to be looked at', forge: (text) => text + 'A'.repeat(70_000), says: 'malformed' },
    { what: 'with a later expiry', forge: (text) => withBytes(text, (bytes) => bytes.fill(0xff, 17, 23)), says: 'foreign' },
    { what: 'with a signature of zeros', forge: (text) => signedBy(text, () => Buffer.alloc(32)), says: 'foreign' },
    { what: 'signed without the purpose', forge: (text) => signedBy(text, (signed) => hmac(key, signed)), says: 'foreign' },
    { what: 'signed with an empty key', forge: (text) => signedBy(text, (signed) => hmac('', domain('session'), signed)), says: 'foreign' },
    {
      what: 'whose purpose takes a part of what is signed',
      forge: (text) => signedBy(text, (signed) => hmac(key, Buffer.from('toolkit seal session'), signed)),
      says: 'foreign',
    },
    {
      what: 'signed by SHA-512, cut',
      forge: (text) =>
        signedBy(text, (signed) => createHmac('sha512', key).update(domain('session')).update(signed).digest().subarray(0, 32)),
      says: 'foreign',
    },
  ];
  for (const { what, forge, says } of forged) {
    it(`is refused for a text ${what}`, () => {
      const { seal } = sealAt();
      const text = seal.sign(payload, 1000);
      expect(says.split(' or ')).to.include(seal.verify(forge(text)));
      expect(seal.verify(text)).to.have.property('payload');
    });
  }

  it('is an HMAC-SHA256 over the length of the purpose, the purpose and what is signed', () => {
    const { seal } = sealAt();
    const text = seal.sign(payload, 1000);
    expect(signedBy(text, (signed) => hmac(key, domain('session'), signed))).to.equal(text);
  });

  it('has one text: no spare bits of its last character make another', () => {
    const { seal } = sealAt();
    for (const tail of ['', 'a', 'ab']) {
      const text = seal.sign({ tail }, 1000);
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const opened = [...alphabet].filter((letter) => typeof seal.verify(text.slice(0, -1) + letter) !== 'string');
      expect(opened).to.deep.equal([text.at(-1)]);
    }
  });

  it('is not taken for another purpose, even with one key', () => {
    const text = sealAt().seal.sign(payload, 1000);
    expect(sealAt({ purpose: 'session2' }).seal.verify(text)).to.equal('foreign');
    expect(sealAt({ purpose: 'sessio' }).seal.verify(text)).to.equal('foreign');
  });

  it('opens with the key before, and is signed with the newest', () => {
    const other = Buffer.alloc(32, 9);
    const old = sealAt().seal.sign(payload, 1000);
    const rotated = sealAt({ keys: [other, key] }).seal;
    expect(rotated.verify(old)).to.have.property('payload');
    const made = rotated.sign(payload, 1000);
    expect([sealAt().seal.verify(made), typeof sealAt({ keys: [other] }).seal.verify(made)]).to.deep.equal(['foreign', 'object']);
    expect(sealAt({ keys: [other] }).seal.verify(old)).to.equal('foreign');
  });

  for (const { afterMs, says } of [
    { afterMs: 999, says: 'object' },
    { afterMs: 1000, says: 'expired' },
    { afterMs: 1_000_000_000, says: 'expired' },
  ]) {
    it(`${says === 'expired' ? 'is expired' : 'opens'} ${afterMs} ms after it was closed for 1000`, () => {
      const { seal, clock } = sealAt();
      const text = seal.sign(payload, 1000);
      clock.now += afterMs;
      const opened = seal.verify(text);
      expect(typeof opened === 'string' ? opened : typeof opened).to.equal(says);
    });
  }

  it('stays expired when the clock is set back', () => {
    const { seal, clock } = sealAt();
    const text = seal.sign(payload, 1000);
    clock.now += 1000;
    seal.verify(text);
    clock.now = startedAt;
    expect(seal.verify(text)).to.equal('expired');
  });

  it('is not made for more than could be opened again', () => {
    expect(() => sealAt().seal.sign({ text: 'a'.repeat(65_536) }, 1000)).to.throw('at most 65536 are accepted');
  });
});

function domain(purpose: string): Buffer {
  const named = Buffer.from(`toolkit seal ${purpose}`);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(named.length);
  return Buffer.concat([length, named]);
}

function hmac(secret: string | Uint8Array, ...parts: readonly Uint8Array[]): Buffer {
  const made = createHmac('sha256', secret);
  for (const part of parts) made.update(part);
  return made.digest();
}
