import { expect } from 'chai';
import { Redactor } from '../../../kernel/secrets/redact.ts';
import { Secret } from '../../../kernel/secrets/secret.ts';

function redactorOf(secrets: Readonly<Record<string, string>>): Redactor {
  const redactor = new Redactor();
  for (const [name, value] of Object.entries(secrets)) redactor.add(new Secret(name, value));
  return redactor;
}

const mark = '[secret NAME]';

const values: Readonly<Record<string, string>> = {
  'of letters and digits': 'sk-0123456789abcdef',
  'with characters that URLs and JSON escape': 'p@ss w0rd/+"ü&=%?#\\',
  'with quotes and brackets': "it's (a/b) *secret*!",
  'with surrogate pairs': 'key🔑and🗝end',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a secret that looks like a template.
  'with braces and line breaks': '$HOME ${x} {{y}}\nline\ttwo\r\n',
  'of four characters': 'a?/b',
  'of seven characters': 'ü "7" &',
};

const escapes = (text: string): string => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
const asUpper = (text: string): string => text.replace(/%../g, (code) => code.toUpperCase());
const asLower = (text: string): string => text.replace(/%../g, (code) => code.toLowerCase());
const passwordOf = (text: string): string => Object.assign(new URL('https://host/'), { password: text }).password;
const hexOf = (text: string): string => Buffer.from(text).toString('hex');
const asAscii = (text: string): string => text.replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

const forms: Readonly<Record<string, (value: string) => string>> = {
  plain: (value) => value,
  base64: (value) => Buffer.from(value).toString('base64'),
  'base64 without padding': (value) => Buffer.from(value).toString('base64').replaceAll('=', ''),
  'base64, URL-encoded': (value) => encodeURIComponent(Buffer.from(value).toString('base64')),
  base64url: (value) => Buffer.from(value).toString('base64url'),
  'URL-encoded': encodeURIComponent,
  'URL-encoded with lower-case digits': (value) => asLower(encodeURIComponent(value)),
  'URL-encoded as in RFC 3986': (value) => asUpper(escapes(value)),
  'form-encoded': (value) => new URLSearchParams({ p: value }).toString().slice(2),
  'form-encoded with lower-case digits': (value) => asLower(new URLSearchParams({ p: value }).toString().slice(2)),
  'in the path of a URL': (value) => new URL(`https://host/${encodeURIComponent(value)}`).pathname.slice(1),
  'in the query of a URL': (value) => new URL(`https://host/?${encodeURIComponent(value)}`).search.slice(1),
  'as the password of a URL': passwordOf,
  'URL-encoded whole': (value) => hexOf(value).replace(/../g, '%$&'),
  'URL-encoded whole with upper-case digits': (value) => hexOf(value).toUpperCase().replace(/../g, '%$&'),
  hexadecimal: hexOf,
  'hexadecimal with upper-case digits': (value) => hexOf(value).toUpperCase(),
  'JSON-escaped': (value) => JSON.stringify(value).slice(1, -1),
  'JSON-escaped in ASCII': (value) => asAscii(JSON.stringify(value).slice(1, -1)),
};

const places: Readonly<Record<string, (text: string) => unknown>> = {
  alone: (text) => text,
  'in the middle of a text': (text) => `before <${text}> after`,
  'at both ends of a text': (text) => `${text} and ${text}`,
  'beside itself': (text) => `${text}${text}`,
  'in a URL': (text) => `https://host/${text}/x?a=${text}&b=1#${text}`,
  'in a header': (text) => ({ authorization: `Bearer ${text}` }),
  'in lists and objects': (text) => [1, [null, { a: { b: [true, text] } }]],
  'in a key': (text) => ({ a: { [`x-${text}`]: 1 } }),
  'among surrogate pairs': (text) => `🔑${text}🔑`,
};

describe('a known secret', () => {
  for (const [which, value] of Object.entries(values)) {
    for (const [form, encode] of Object.entries(forms)) {
      it(`${which} is masked ${form}, wherever it stands`, () => {
        const redactor = redactorOf({ NAME: value });
        for (const [place, put] of Object.entries(places)) {
          expect(redactor.value(put(encode(value))), place).to.deep.equal(put(mark));
        }
      });
    }
  }

  for (const [which, value] of Object.entries(values).filter(([, { length }]) => length > 7)) {
    for (const alphabet of ['base64', 'base64url'] as const) {
      it(`${which} is masked in the ${alphabet} of a longer text, but for two bytes at each end`, () => {
        const redactor = redactorOf({ NAME: value });
        for (const before of ['', 'u', 'u:', 'u: ', 'user:', 'a longer text ']) {
          for (const after of ['', 'y', 'yz', ' and more']) {
            const text = Buffer.from(`${before}${value}${after}`).toString(alphabet);
            const [start = '', end, ...more] = redactor.text(`<${text}>`).slice(1, -1).split(mark);
            const secretOf = (part: string, around: string): number => Buffer.from(part, 'base64').length - around.length;
            expect([start.startsWith(text.slice(0, start.length)), text.endsWith(end ?? '?'), more]).to.deep.equal([true, true, []]);
            expect(secretOf(start, before), text).to.be.at.most(2);
            expect(secretOf(end ?? '', after), text).to.be.at.most(3);
          }
        }
      });
    }
  }

  for (const value of ['', '1', 'no', 'üöä']) {
    it(`is not masked when it is as short as "${value}"`, () => {
      const redactor = redactorOf({ NAME: value });
      const text = `1 of 1, no no, üöä ${Buffer.from(value).toString('base64')} []`;
      expect(redactor.text(text)).to.equal(text);
      const object = { [value]: value };
      expect(redactor.value(object)).to.equal(object);
    });
  }

  const inOtherCase: readonly { value: string; text: string; isMasked: boolean }[] = [
    { value: 'sk-Abc123', text: 'SK-ABC123', isMasked: true },
    { value: 'sk-Abc123', text: 'sk-abc123', isMasked: true },
    { value: 'SK-ABC123', text: 'sK-aBc123', isMasked: true },
    { value: 'p@ss W0rd', text: 'P%40SS+W0RD', isMasked: true },
    { value: 'abcdefghijklmnop', text: 'ABCDEFGHIJKLMNOP', isMasked: true },
    { value: 'postgres', text: 'postgres', isMasked: true },
    { value: 'postgres', text: 'PostgreSQL', isMasked: false },
    { value: 'abc-123', text: 'ABC-123', isMasked: false },
  ];
  for (const { value, text, isMasked } of inOtherCase) {
    it(`like "${value}" is ${isMasked ? '' : 'not '}masked as "${text}"`, () => {
      expect(redactorOf({ NAME: value }).text(`<${text}>`)).to.equal(isMasked ? `<${mark}>` : `<${text}>`);
    });
  }

  const asNumbers: readonly { value: string; output: unknown; masked: unknown }[] = [
    { value: '482913', output: { pin: 482913, list: [1, [482913]] }, masked: { pin: mark, list: [1, [mark]] } },
    { value: '482913', output: -482913, masked: mark },
    { value: '482913', output: [482912, 482913.5, 4829130, 482, null], masked: [482912, 482913.5, 4829130, 482, null] },
    { value: '0048291355', output: [48291355, '48291355'], masked: [mark, mark] },
    // More digits than a double holds: the number that a reader of JSON makes of them.
    { value: '12345678901234567890', output: [JSON.parse('12345678901234567890')], masked: [mark] },
    { value: '48291', output: [48291, '48291'], masked: [48291, mark] },
    { value: '000042', output: [42, '000042'], masked: [42, mark] },
    { value: '1e9', output: 1_000_000_000, masked: 1_000_000_000 },
  ];
  for (const { value, output, masked } of asNumbers) {
    it(`"${value}" makes ${JSON.stringify(masked)} of ${JSON.stringify(output)}`, () => {
      expect(redactorOf({ NAME: value }).value(output)).to.deep.equal(masked);
    });
  }

  it('keeps the name under which it was known first', () => {
    expect(redactorOf({ FIRST: 'the-value', SECOND: 'the-value' }).text('the-value')).to.equal('[secret FIRST]');
  });

  it('is masked in values that were known to nobody when they were masked first', () => {
    const redactor = redactorOf({ NAME: 'first-value' });
    expect(redactor.text('second-value')).to.equal('second-value');
    redactor.add(new Secret('LATER', 'second-value'));
    expect(redactor.text('second-value first-value')).to.equal('[secret LATER] [secret NAME]');
  });
});

describe('secrets that have characters in common', () => {
  const cases: { title: string; secrets: Record<string, string>; text: string; masked: string }[] = [
    {
      title: 'with the same beginning',
      secrets: { SHORT: 'token-12', LONG: 'token-12345678' },
      text: 'token-12345678, token-12, token-1',
      masked: '[secret LONG], [secret SHORT], token-1',
    },
    {
      title: 'with the same end',
      secrets: { LONG: 'my-own-token-12', SHORT: 'own-token-12' },
      text: 'my-own-token-12, own-token-12, token-12',
      masked: '[secret LONG], [secret SHORT], token-12',
    },
    {
      title: 'one inside the other',
      secrets: { INNER: 'inner-value', OUTER: '<inner-value>' },
      text: '<inner-value> (inner-value)',
      masked: '[secret OUTER] ([secret INNER])',
    },
    {
      title: 'that overlap',
      secrets: { A: 'abcdefgh-123', B: '123-ijklmnop', C: 'ijklmnop-456' },
      text: 'abcdefgh-123-ijklmnop-456!',
      masked: '[secret A]!',
    },
    {
      title: 'that stand side by side',
      secrets: { A: 'abcdefgh', B: 'ijklmnop' },
      text: 'abcdefghijklmnop',
      masked: '[secret A][secret B]',
    },
    { title: 'that repeat themselves', secrets: { A: 'ababababab' }, text: 'xababababababx', masked: 'x[secret A]x' },
    { title: 'short, with the same beginning', secrets: { SHORT: 'abcd', LONG: 'abcdef' }, text: 'abcdef', masked: '[secret LONG]' },
    { title: 'short, with the same end', secrets: { SHORT: 'cdef', LONG: 'abcdef' }, text: 'abcdef', masked: '[secret LONG]' },
    { title: 'short, that overlap', secrets: { A: 'abcd', B: 'cdef', C: 'ef-gh' }, text: '(abcdef-gh)', masked: '([secret A])' },
    { title: 'short and long, that overlap', secrets: { A: 'abcd', B: 'cdefghijkl' }, text: 'abcdefghijkl', masked: '[secret A]' },
    { title: 'short, one inside the other', secrets: { A: 'bcde', B: 'abcdef' }, text: 'abcdef', masked: '[secret B]' },
  ];
  for (const { title, secrets, text, masked } of cases) {
    it(`are masked whole: ${title}`, () => {
      expect(redactorOf(secrets).text(text)).to.equal(masked);
      expect(redactorOf(Object.fromEntries(Object.entries(secrets).reverse())).text(text)).to.equal(masked);
    });
  }
});

describe('what is masked', () => {
  it('is the very same value when there is nothing to mask', () => {
    const clean = { a: ['text', 1, null, { b: true }], 'sk-012345678': 'sk-0123456789abcde' };
    expect(redactorOf({ NAME: 'sk-0123456789abcdef' }).value(clean)).to.equal(clean);
  });

  it('keeps a member that is called __proto__, so that it can be masked once more', () => {
    const given = JSON.parse('{"__proto__": {"x": "second-value"}, "a": "first-value", "b": "second-value"}') as unknown;
    const twice = redactorOf({ B: 'second-value' }).value(redactorOf({ A: 'first-value' }).value(given));
    expect(JSON.stringify(twice)).to.equal('{"__proto__":{"x":"[secret B]"},"a":"[secret A]","b":"[secret B]"}');
  });

  it('may hold itself', () => {
    const circle: Record<string, unknown> = { key: 'a-secret-value' };
    circle['self'] = circle;
    expect(redactorOf({ NAME: 'a-secret-value' }).value(circle)['key']).to.equal(mark);
  });
});
