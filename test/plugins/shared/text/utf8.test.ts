import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { readText } from '../../../../plugins/shared/text/read-text.ts';
import { decodeAs, decodeUtf8, firstNonUtf8, strictUtf8 } from '../../../../plugins/shared/text/utf8.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('bytes as UTF-8', () => {
  const rows = [
    { of: 'a text', bytes: Buffer.from('Grüße 👋'), text: 'Grüße 👋', replaced: 0, at: undefined },
    { of: 'a byte order mark', bytes: Buffer.from('\uFEFFa\uFEFF'), text: 'a\uFEFF', replaced: 0, at: undefined },
    { of: 'U+FFFD that is written so', bytes: Buffer.from('a\uFFFDb'), text: 'a\uFFFDb', replaced: 0, at: undefined },
    { of: 'Latin-1', bytes: latin1('Gr\xfc\xdfe'), text: 'Gr\uFFFD\uFFFDe', replaced: 2, at: 2 },
    { of: 'both', bytes: Buffer.concat([Buffer.from('\uFFFDä'), latin1('\xff')]), text: '\uFFFDä\uFFFD', replaced: 1, at: 5 },
    { of: 'a character that is cut off', bytes: Buffer.from('a👋').subarray(0, 4), text: 'a\uFFFD', replaced: 1, at: 1 },
    { of: 'half of a surrogate pair', bytes: latin1('\xed\xa0\xbd'), text: '\uFFFD\uFFFD\uFFFD', replaced: 3, at: 0 },
  ];
  for (const { of, bytes, text, replaced, at } of rows) {
    it(`give ${of}, count what was replaced, and are refused where something is`, () => {
      expect(decodeUtf8(bytes)).to.deep.equal({ text, replaced });
      expect(strictUtf8(bytes)).to.equal(replaced === 0 ? text : undefined);
      expect(firstNonUtf8(bytes)).to.equal(at);
    });
  }

  it('keep the byte order mark of what is written back, and leave out a character that a limit has cut', () => {
    expect(strictUtf8(Buffer.from('\uFEFFa'), { keepsMark: true })).to.equal('\uFEFFa');
    expect(decodeUtf8(Buffer.from('a👋').subarray(0, 4), { isCut: true })).to.deep.equal({ text: 'a', replaced: 0 });
  });

  it('are read in the encoding of a label, where there is such a one', () => {
    expect(decodeAs(latin1('\xfc\x80'), 'iso-8859-1')).to.deep.equal({ text: 'ü€', replaced: 0 });
    expect(decodeAs(latin1('\xff\xfea\0\0\xd8'), 'utf-16le')).to.deep.equal({ text: 'a\uFFFD', replaced: 1 });
    expect(decodeAs(latin1('\xfc'), 'nonsense')).to.deep.equal({ text: '\uFFFD', replaced: 1 });
  });
});

describe('a file that an operator writes', () => {
  const refused = [
    { what: 'Latin-1', bytes: latin1('name: Gr\xfc\xdfe'), says: 'expected UTF-8, received another encoding (byte 8). Save it as UTF-8' },
    { what: 'UTF-16', bytes: Buffer.from('\uFEFFname: x', 'utf16le'), says: 'expected UTF-8, received UTF-16 (byte 0). Save it as UTF-8' },
  ];
  for (const { what, bytes, says } of refused) {
    it(`is refused with its name and the byte where it is ${what}`, async () => {
      const file = path.join(await temporaryFolder(), 'a.yaml');
      await writeFile(file, bytes);
      expect((await rejection(readText(file), 'CONFIG_INVALID')).message).to.equal(`"${file}" cannot be read: ${says}.`);
    });
  }
});
