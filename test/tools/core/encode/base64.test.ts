import { expect } from 'chai';
import { pythonValue } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

const shared = sharedToolkit();

const encode = async (text: string, more: Record<string, unknown> = {}): Promise<string> =>
  ((await shared.toolkit.execute('encode_base64', { text, ...more })) as { encoded: string }).encoded;
const decode = (encoded: string, more: Record<string, unknown> = {}): Promise<unknown> =>
  shared.toolkit.execute('decode_base64', { encoded, ...more });

const texts = ['', 'a', 'ab', 'abc', 'Grüße, 世界 👋', 'line\r\nline\n', '\u0000\u0001', '\ufeffmark', '~~~???>>>', 'x'.repeat(100_000)];

describe('encode_base64', () => {
  it('gives what Python gives, for URLs without padding', async () => {
    const expected = pythonValue<[string, string][]>(
      '[[base64.b64encode(t.encode()).decode(), base64.urlsafe_b64encode(t.encode()).decode().rstrip("=")] for t in given]',
      texts,
      'import base64',
    );
    for (const [index, text] of texts.entries())
      expect([await encode(text), await encode(text, { url_safe: true })]).to.deep.equal(expected[index]);
  });

  it('takes bytes as hexadecimal digits and as Latin-1', async () => {
    const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')).join('');
    const latin1 = String.fromCharCode(...Array.from({ length: 256 }, (_, byte) => byte));
    const expected = pythonValue<string>('base64.b64encode(bytes(range(256))).decode()', null, 'import base64');
    expect(await encode(hex, { input_encoding: 'hex' })).to.equal(expected);
    expect(await encode(hex.toUpperCase(), { input_encoding: 'hex' })).to.equal(expected);
    expect(await encode(latin1, { input_encoding: 'latin1' })).to.equal(expected);
    expect(await encode('', { input_encoding: 'hex' })).to.equal('');
  });

  const mistakes = [
    { text: 'abc\ud83d', more: {}, position: 4, says: 'expected a whole character, received U+D83D' },
    { text: '\udc00', more: {}, position: 1, says: 'received U+DC00' },
    { text: '00fg', more: { input_encoding: 'hex' }, position: 4, says: 'expected a hexadecimal digit, received "g"' },
    { text: '00 ff', more: { input_encoding: 'hex' }, position: 3, says: 'received U+0020' },
    { text: 'fff', more: { input_encoding: 'hex' }, position: 4, says: 'expected a hexadecimal digit, received the end' },
    { text: 'é€', more: { input_encoding: 'latin1' }, position: 2, says: 'received "€". Latin-1 has no others' },
  ];
  for (const { text, more, position, says } of mistakes) {
    it(`refuses ${JSON.stringify(text)} as ${JSON.stringify(more)}, with the place`, async () => {
      const error = await rejection(encode(text, more), 'INVALID_PARAMETERS');
      expect(error.message).to.include(`Parameter "text" is wrong at character ${position}: `).and.to.include(says);
      expect(error.details).to.include({ position });
      expect(error.details.issues?.[0]?.path).to.equal('text');
    });
  }

  it('refuses other encodings', async () => {
    await rejection(encode('a', { input_encoding: 'utf16' }), 'INVALID_PARAMETERS');
  });
});

describe('decode_base64', () => {
  it('undoes encode_base64, with the number of bytes', async () => {
    for (const text of texts) {
      const bytes = Buffer.byteLength(text);
      expect(await decode(await encode(text))).to.deep.equal({ text, bytes });
      expect(await decode(await encode(text, { url_safe: true }))).to.deep.equal({ text, bytes });
    }
  });

  it('gives all bytes in hexadecimal and in Latin-1', async () => {
    const encoded = pythonValue<string>('base64.b64encode(bytes(range(256))).decode()', null, 'import base64');
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    expect(await decode(encoded, { output_encoding: 'hex' })).to.deep.equal({ text: bytes.toString('hex'), bytes: 256 });
    expect(await decode(encoded, { output_encoding: 'latin1' })).to.deep.equal({ text: bytes.toString('latin1'), bytes: 256 });
  });

  it('skips white space, as in MIME', async () => {
    const text = 'Zeile '.repeat(50);
    const encoded = pythonValue<string>('base64.encodebytes(given.encode()).decode()', text, 'import base64');
    expect(encoded).to.include('\n');
    expect(await decode(` ${encoded.replaceAll('\n', '\r\n\t')}`)).to.include({ text });
    expect(await decode('Y Q\n=\n=')).to.include({ text: 'a' });
  });

  const mistakes = [
    { encoded: 'SGk*', position: 4, says: 'expected a character of base64, received "*"' },
    { encoded: 'SGkö', position: 4, says: 'received "ö"' },
    { encoded: 'SG\u00a0k', position: 3, says: 'received U+00A0' },
    { encoded: 'data:text/plain;base64,SGk=', position: 5, says: 'Of a data URL give only what is behind the comma' },
    { encoded: 'ab+/-_', position: 5, says: 'expected "+" or "/", as before, received "-"' },
    { encoded: '-_+/', position: 3, says: 'base64 and base64url are mixed' },
    { encoded: 'Y', position: 2, says: 'expected another character, received the end' },
    { encoded: 'YWJjZ', position: 6, says: 'expected another character, received the end' },
    { encoded: 'Y===', position: 2, says: 'expected another character, received "="' },
    { encoded: 'YQ=', position: 4, says: 'expected another "=", received the end' },
    { encoded: 'YQ===', position: 5, says: 'expected the end, received "="' },
    { encoded: 'YWJj=', position: 5, says: 'expected the end, received "="' },
    { encoded: '=', position: 1, says: 'expected the end, received "="' },
    { encoded: 'YQ==YQ==', position: 5, says: 'expected nothing behind "=", received "Y"' },
    { encoded: 'YR==', position: 2, says: 'expected "Q", received "R"' },
    { encoded: 'YWL', position: 3, says: 'expected "I", received "L"' },
    { encoded: '__-', position: 3, says: 'expected "8", received "-"' },
  ];
  for (const { encoded, position, says } of mistakes) {
    it(`refuses ${JSON.stringify(encoded)}, with the place of the first wrong character`, async () => {
      const error = await rejection(decode(encoded, { output_encoding: 'hex' }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(`Parameter "encoded" is wrong at character ${position}: `).and.to.include(says);
      expect(error.details).to.include({ position });
    });
  }

  it('refuses at least what Python refuses as strictly as it can', async () => {
    const alphabet = ['A', 'Q', '=', '*', ' '];
    const all = alphabet.flatMap((a) => alphabet.flatMap((b) => alphabet.flatMap((c) => alphabet.map((d) => `${a}${b}${c}${d}`))));
    const prepare = [
      'import binascii',
      'def good(text):',
      '    try: binascii.a2b_base64(text, strict_mode=True)',
      '    except Exception: return False',
      '    return True',
    ].join('\n');
    const isGood = pythonValue<boolean[]>(
      '[good(t) for t in given]',
      all.map((text) => text.replaceAll(' ', '')),
      prepare,
    );
    for (const [index, encoded] of all.entries()) {
      if (isGood[index] === true || !encoded.includes('=')) continue;
      await rejection(decode(encoded, { output_encoding: 'hex' }), 'INVALID_PARAMETERS');
    }
  });

  const binaries = [
    { bytes: [0xff], byte: 1, says: 'byte 1 of 1, 0xff' },
    { bytes: [0x61, 0x80], byte: 2, says: 'byte 2 of 2, 0x80' },
    { bytes: [0xe2, 0x9c, 0x93, 0xe2, 0x9c], byte: 4, says: 'byte 4 of 5, 0xe2' },
    { bytes: [0x61, 0xef, 0xbf, 0x62], byte: 2, says: 'byte 2 of 4, 0xef' },
    { bytes: [0xc0, 0xaf], byte: 1, says: '0xc0' },
    { bytes: [0x61, 0xed, 0xa0, 0x80], byte: 2, says: '0xed' },
    { bytes: [0xf4, 0x90, 0x80, 0x80], byte: 1, says: '0xf4' },
  ];
  for (const { bytes, byte, says } of binaries) {
    it(`refuses the bytes ${Buffer.from(bytes).toString('hex')} as text at byte ${byte}, as Python does, and suggests hex and latin1`, async () => {
      const error = await rejection(decode(Buffer.from(bytes).toString('base64')), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says).and.to.include('Set output_encoding to "hex" for binary data, or to "latin1"');
      expect(error.details).to.include({ bytePosition: byte });
      const prepare = 'def wrong(b):\n    try: b.decode()\n    except UnicodeDecodeError as error: return error.start + 1';
      expect(pythonValue<number>('wrong(bytes(given))', bytes, prepare)).to.equal(byte);
    });
  }
});
