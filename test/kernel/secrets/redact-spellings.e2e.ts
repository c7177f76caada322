import { expect } from 'chai';
import { boundedText } from '../../../kernel/log/bounded-text.ts';
import { Redactor } from '../../../kernel/secrets/redact.ts';
import { randomNumbers } from '../../support/random.ts';

const secret = 'sk_live/4f"9b+ü Zx&0=7\\qR';
const mark = '[secret NAME]';

function redactorOf(value: string): Redactor {
  const redactor = new Redactor();
  redactor.maskAlso('NAME', value);
  return redactor;
}

type Spell = (text: string) => string;

/** A spelling of each character of a text by itself. */
const each =
  (spell: (character: string, unit: string) => string): Spell =>
  (text) =>
    Array.from(text, (character) => spell(character, character.charCodeAt(0).toString(16).padStart(4, '0'))).join('');

const hexOf = (text: string): string => Buffer.from(text).toString('hex');
const percent = each((character) => hexOf(character).replace(/../g, '%$&'));
const unicode = each((_, unit) => `\\u${unit}`);
const decimal = each((character) => `&#${character.codePointAt(0)};`);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const lines = (text: string, width: number, between = '\n'): string => text.match(new RegExp(`.{1,${width}}`, 'g'))?.join(between) ?? '';
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const base32 = (text: string): string =>
  (
    Array.from(Buffer.from(text), (byte) => byte.toString(2).padStart(8, '0'))
      .join('')
      .match(/.{1,5}/g) ?? []
  )
    .map((bits) => digits[Number.parseInt(bits.padEnd(5, '0'), 2)])
    .join('');
const names: Readonly<Record<string, string>> = {
  '/': 'sol',
  '"': 'quot',
  '+': 'plus',
  ü: 'uuml',
  '&': 'amp',
  '=': 'equals',
  _: 'lowbar',
  '\\': 'bsol',
};

const spellings: Readonly<Record<string, Spell>> = {
  'percent-encoded, but for the slash': (text) => encodeURIComponent(text).replaceAll('%2F', '/'),
  'percent-encoded, with digits in either case': (text) => encodeURIComponent(text).replace(/%2./g, (code) => code.toLowerCase()),
  'percent-encoded, each byte': percent,
  'percent-encoded in Latin-1': each((_, unit) => `%${unit.slice(2)}`),
  'as escape() writes it': (text) => escape(text).replaceAll('%FC', '%u00FC'),
  'as a form': (text) => new URLSearchParams({ p: text }).toString().slice(2),
  'JSON with slashes escaped': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'JSON in ASCII, all of it': unicode,
  'JSON, one letter alone': (text) => JSON.stringify(text).slice(1, -1).replace('s', '\\u0073'),
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
  'code points in braces': each((_, unit) => `\\u{${unit}}`),
  'escapes of Python': each((_, unit) => `\\U0000${unit}`),
  'bytes of C': (text) => hexOf(text).replace(/../g, '\\x$&'),
  'octal bytes, as git quotes a path': each((character) =>
    /\w/.test(character) ? character : Array.from(Buffer.from(character), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
  ),
  'quoted for a shell': each((character) => (/\w/.test(character) ? character : `\\${character}`)),
  'decimal references': decimal,
  'hexadecimal references': each((_, unit) => `&#x${unit};`),
  'references with zeros in front': each((character) => `&#0000000${character.codePointAt(0)};`),
  'references without semicolons': (text) => text.replaceAll('_', '&#95').replaceAll('+', '&#43'),
  'named references': each((character) => (character in names ? `&${names[character]};` : character)),
  'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'percent-encoded wholly, twice': (text) => percent(percent(text)),
  'escaped wholly, twice': (text) => unicode(unicode(text)),
  'references in JSON': (text) => JSON.stringify(decimal(text)).slice(1, -1),
  'percent-encoding in references': (text) => decimal(percent(text)),
  'base64 in lines of 76': (text) => lines(base64(`${'before '.repeat(7)}${text}`), 76, '\r\n'),
  'base64 in lines of 4, indented': (text) => lines(base64(text), 4, '\n      '),
  'base64 in lines, as JSON': (text) => JSON.stringify(lines(base64(text), 8)).slice(1, -1),
  'base64 in lines, as a URL': (text) => encodeURIComponent(lines(base64(text), 8, '\r\n')),
  'base64url in parts': (text) => lines(Buffer.from(text).toString('base64url'), 5, ' '),
  'hexadecimal with blanks': (text) => lines(hexOf(text), 2, ' '),
  'hexadecimal with colons, in capitals': (text) => lines(hexOf(text).toUpperCase(), 2, ':'),
  'hexadecimal with dashes': (text) => lines(hexOf(text), 2, '-'),
  'hexadecimal in pairs, as a dump': (text) => lines(hexOf(text), 4, ' '),
  'a list of bytes': (text) => hexOf(text).replace(/../g, '0x$&, '),
  base32,
  'base32 in lower case, in groups': (text) => lines(base32(text).toLowerCase(), 4, '-'),
  'split over lines': (text) => lines(text, 9),
  'split by blanks': (text) => lines(text, 1, ' '),
};

describe('a spelling of a secret', () => {
  for (const [title, spell] of Object.entries(spellings))
    it(`is masked: ${title}`, () => {
      const masked = redactorOf(secret).text(`<${spell(secret)}>`);
      expect(masked).to.include(mark);
      // Of what stands around a mark, a character of base64 may hold two bits more.
      expect(masked.replace(mark, '').length, masked).to.be.at.most(title.startsWith('base64 in lines of 76') ? 80 : 8);
    });

  for (const count of [1, 2, 3, 4, 5])
    it(`is masked in the base32 and the base64 in lines of a text that begins ${count} bytes before`, () => {
      for (const text of [lines(base32(`${'-'.repeat(count)}${secret}---`), 8), lines(base64(`${'-'.repeat(count)}${secret}---`), 16)])
        expect(redactorOf(secret).text(text).replace(mark, '').length, text).to.be.at.most(20);
    });

  it('is masked in any mixture of them, in two levels, and none is longer than the reach of seams', () => {
    const random = randomNumbers(42);
    const redactor = redactorOf(secret);
    const singles = [
      percent,
      unicode,
      decimal,
      each((_, unit) => `&#x${unit};`),
      each((_, unit) => `\\U0000${unit}`),
      (text: string) => text,
    ];
    const mixed = (text: string): string =>
      Array.from(text, (one) => (singles[Math.floor(random() * singles.length)] as Spell)(one)).join('');
    const levels: readonly Spell[] = [
      (text) => text,
      percent,
      encodeURIComponent,
      (text) => JSON.stringify(text).slice(1, -1),
      (text) => text.replaceAll('&', '&amp;'),
      (text) => text.replaceAll('\\', '\\u005c').replaceAll('%', '%25'),
    ];
    for (let round = 0; round < 500; round++) {
      // Without the characters that begin escapes: what is left plain of those may stand for something else.
      const value = secret.replace(/[\\&]/g, '');
      const once = mixed(value);
      const outer = (levels[round % levels.length] as Spell)(once);
      const twice = outer.length > redactor.longest ? once : outer;
      expect(redactorOf(value).text(`<${twice}>`), twice).to.equal(`<${mark}>`);
      expect(twice.length).to.be.at.most(redactor.longest);
    }
  });

  it('is not shown in half where a text is cut', () => {
    const redactor = redactorOf(secret);
    const masking = { mask: <T>(value: T): T => redactor.value(value), reach: () => redactor.longest };
    const spelled = unicode(unicode(secret));
    for (const before of [0, 400, 940, 980, 1020]) {
      const text = boundedText(`${'-'.repeat(before)}${spelled}${'-'.repeat(200_000)}`, 1000, masking);
      expect(text, String(before)).not.to.include('\\u005c');
    }
  });

  it('is found behind four megabytes of what begins escapes', () => {
    const redactor = redactorOf(secret);
    for (const unit of ['%25', '%2525', '\\u005cu', '\\\\', '&amp;#38;', '&', '%', '\\u{', '&#000', '\\x', '%C3', 'a ']) {
      const text = `${unit.repeat(Math.ceil((4 * 1024 * 1024) / unit.length))} `;
      expect(redactor.text(`${text}<${encodeURIComponent(secret)}>`).slice(-mark.length - 2)).to.equal(`<${mark}>`);
    }
  });

  for (const text of ['100 % of it', 'R&D', 'C:\\new\\users', 'a%zz&#;&#x;&nosuch;\\', '%', '&', '\\', '\\u12', '&#99999999;', '%F0%9F'])
    it(`is not seen in "${text}", which is not changed`, () => {
      expect(redactorOf(secret).text(text)).to.equal(text);
    });

  it('with escapes of its own is masked as it is, and with these read', () => {
    const value = 'a%41b\\u0043d&amp;e';
    for (const text of [value, encodeURIComponent(value), JSON.stringify(value), 'aAb\\u0043d&amp;e', value.replace('d', '&#100;')])
      expect(redactorOf(value).text(text), text).to.include(mark);
  });
});
