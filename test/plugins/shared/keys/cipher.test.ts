import { expect } from 'chai';
import { Cipher } from '../../../../plugins/shared/keys/cipher.ts';

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const cipherOf = (...bytes: readonly number[]): Cipher => new Cipher(() => bytes.map(key));

describe('a cipher', () => {
  for (const text of ['', 'a text', 'ünïcode 😀\0', 'x'.repeat(1_000_000)]) {
    it(`gives back a text of ${text.length} characters, which does not show`, () => {
      const bytes = cipherOf(1).encrypt(text, 'place');
      expect(cipherOf(1).decrypt(bytes, 'place') === text).to.equal(true);
      if (text.length > 3) expect(bytes.includes(Buffer.from(text).subarray(0, 6))).to.equal(false);
      expect(bytes.length).to.equal(Buffer.byteLength(text) + 33);
    });
  }

  it('never gives the same bytes twice', () => {
    const cipher = cipherOf(1);
    const all = Array.from({ length: 1000 }, () => cipher.encrypt('text', 'place').toString('base64'));
    expect(new Set(all.map((bytes) => bytes.slice(-40))).size).to.equal(1000);
  });

  it('takes what the key of before has enciphered, and enciphers with the new one', () => {
    const rotated = cipherOf(2, 1);
    expect(rotated.decrypt(cipherOf(1).encrypt('text', 'place'), 'place')).to.equal('text');
    expect(cipherOf(2).decrypt(rotated.encrypt('text', 'place'), 'place')).to.equal('text');
    expect(cipherOf(1).decrypt(rotated.encrypt('text', 'place'), 'place')).to.equal(undefined);
  });

  it('opens nothing with any one bit changed, at another place, cut or lengthened', () => {
    const cipher = cipherOf(1);
    const bytes = cipher.encrypt('text', 'place');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(cipher.decrypt(changed, 'place'), `bit ${bit}`).to.equal(undefined);
    }
    for (let length = 0; length < bytes.length; length++) expect(cipher.decrypt(bytes.subarray(0, length), 'place')).to.equal(undefined);
    expect(cipher.decrypt(Buffer.concat([bytes, Buffer.of(0)]), 'place')).to.equal(undefined);
    for (const place of ['', 'plac', 'place2', 'Place']) expect(cipher.decrypt(bytes, place)).to.equal(undefined);
  });
});
