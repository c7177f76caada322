import { expect } from 'chai';
import { Redactor } from '../../../kernel/secrets/redact.ts';
import { Secret } from '../../../kernel/secrets/secret.ts';
import { randomNumbers } from '../../support/random.ts';

function textOf(random: () => number, alphabet: string, minimum: number, maximum: number): string {
  const length = minimum + Math.floor(random() * (maximum - minimum + 1));
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
}

function redactorOf(secrets: readonly string[]): Redactor {
  const redactor = new Redactor();
  for (const [index, value] of secrets.entries()) redactor.add(new Secret(`S${index}`, value));
  return redactor;
}

/** Masks in the simplest way: every place of every secret, and overlapping places as one. */
function naive(text: string, secrets: readonly string[]): string {
  const places = [...new Set(secrets)].flatMap((value) => {
    const found: { start: number; end: number; name: string }[] = [];
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1))
      found.push({ start: at, end: at + value.length, name: `[secret S${secrets.indexOf(value)}]` });
    return found;
  });
  let masked = '';
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const here = places.filter(({ start }) => start === at).sort((a, b) => b.end - a.end)[0];
    if (here !== undefined && at >= end) masked += here.name;
    if (here !== undefined) end = Math.max(end, here.end);
    if (at >= end) masked += text[at];
  }
  return masked;
}

describe('the masking of many secrets', () => {
  const random = randomNumbers(7);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_/+';
  // Beside some of every length, hundreds that begin, and hundreds that end, with the same characters.
  const secrets = [
    ...Array.from({ length: 800 }, (_, n) => `${n}.${textOf(random, letters, 12, 60)}`),
    ...Array.from({ length: 600 }, (_, n) => `sk-live-${textOf(random, letters, 12, 20)}.${n}`),
    ...Array.from({ length: 600 }, (_, n) => `${n}.${textOf(random, letters, 12, 20)}@vault.example`),
  ];
  const redactor = redactorOf(secrets);
  const forms: Readonly<Record<string, (value: string) => string>> = {
    plain: (value) => value,
    base64: (value) => Buffer.from(value).toString('base64'),
    base64url: (value) => Buffer.from(value).toString('base64url'),
    'URL-encoded': encodeURIComponent,
  };
  for (const [form, encode] of Object.entries(forms)) {
    it(`finds each of 2,000 of them, ${form}`, () => {
      const texts = secrets.map((value) => `<${encode(value)}>`);
      expect(redactor.text(texts.join(' '))).to.equal(secrets.map((_, index) => `<[secret S${index}]>`).join(' '));
      expect(texts.map((text) => redactor.text(text))).to.deep.equal(secrets.map((_, index) => `<[secret S${index}]>`));
    });
  }

  it('finds what was added after it had masked already', () => {
    const growing = new Redactor();
    for (const [index, value] of secrets.entries()) {
      growing.add(new Secret(`S${index}`, value));
      if (index % 100 === 0) expect(growing.text(`x${value}x`)).to.equal(`x[secret S${index}]x`);
    }
    const [first = ''] = secrets;
    expect(growing.text(first)).to.equal('[secret S0]');
  });

  it('leaves everything else as it is', () => {
    const clean = Array.from({ length: 2000 }, () => textOf(random, letters, 0, 200));
    // A symbol at the end may be missing where the letters and digits of a secret stand apart.
    const nearly = secrets.map((value, index) => (index % 2 === 0 ? value.slice(1) : value.replace(/[a-z0-9][^a-z0-9]*$/i, '')));
    expect(redactor.value(clean)).to.equal(clean);
    expect(redactor.value(nearly)).to.equal(nearly);
  });
});

describe('masking', () => {
  const lengths = [
    { title: 'long secrets', minimum: 8, maximum: 14 },
    { title: 'short secrets', minimum: 4, maximum: 7 },
    { title: 'secrets of every length', minimum: 4, maximum: 20 },
  ];
  for (const { title, minimum, maximum } of lengths) {
    for (const alphabet of ['ab', 'abc', 'a-Ω', '\ud83d\udd11a']) {
      it(`does what a simple search does: ${title} out of ${JSON.stringify(alphabet)}`, () => {
        const random = randomNumbers(minimum * 1000 + alphabet.length);
        for (let round = 0; round < 300; round++) {
          const count = 1 + Math.floor(random() * 8);
          const secrets = Array.from({ length: count }, () => textOf(random, alphabet, minimum, maximum).toWellFormed());
          const text = textOf(random, alphabet, 0, 120);
          expect(redactorOf(secrets).text(text), JSON.stringify({ round, secrets, text })).to.equal(naive(text, secrets));
        }
      });
    }
  }
});
