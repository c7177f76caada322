import { expect } from 'chai';
import { ParseError } from '../../../../plugins/confine-paths/reading/parse-error.ts';
import { parseTable } from '../../../../plugins/confine-paths/reading/parse-table.ts';
import { csvToJson } from '../../../../tools/core/convert/csv-to-json.ts';
import { Random } from '../../../support/random.ts';
import { rejection } from '../../../support/rejection.ts';
import { byPath } from '../by-path.ts';

const same = async (text: string): Promise<unknown> =>
  (await csvToJson({ text, delimiter: ',', header: true, infer_types: true, offset: 0 }, { output: { budget: undefined } })).rows;

describe('the rows of a table', () => {
  const tables: readonly { what: string; text: string; gives?: unknown }[] = [
    { what: 'numbers, texts and nothing', text: 'name,price\npen,2\nbook,\n' },
    { what: 'a column of codes that stay text', text: 'id,n\n007,1\n012,2\n' },
    { what: 'true and false', text: 'a,b\ntrue,1\nFALSE,2\n' },
    { what: 'CR LF, and no line end at the end', text: 'a,b\r\n1,2\r\n3,4' },
    { what: 'empty lines', text: 'a,b\n\n1,2\n\n\n3,4\n\n' },
    { what: 'quotes around a delimiter, a line end and quotes', text: 'a,b\n"x,y","1\n2"\n"say ""hi""",z\n' },
    { what: 'an empty text in quotes', text: 'a,b\n"",1\n' },
    { what: 'an empty last field', text: 'a,b\n1,\n,' },
    { what: 'short and long rows', text: 'a,b\n1,2,3\n4\n' },
    { what: 'names that come twice, and none', text: 'a,a,,a\n1,2,3,4\n' },
    { what: 'a name of members that objects have', text: '__proto__,constructor\n1,2\n' },
    { what: 'numbers that a double does not keep', text: 'n,m\n12345678901234567890,1e400\n' },
    { what: 'a header alone', text: 'a,b\n' },
    { what: 'nothing', text: '' },
    { what: 'semicolons', text: 'a;b\n"1,5";2\n', gives: [{ a: '1,5', b: 2 }] },
    { what: 'tabs', text: 'a\tb\tc, d\n1\t2\t3\n', gives: [{ a: 1, b: 2, 'c, d': 3 }] },
    { what: 'bars', text: 'a|b|c\n1|2,2|3\n', gives: [{ a: 1, b: '2,2', c: 3 }] },
    { what: 'one column', text: 'price\n2\n3\n', gives: [{ price: 2 }, { price: 3 }] },
  ];
  for (const { what, text, gives } of tables)
    it(`are what convert_csv_to_json gives: ${what}`, async () => {
      expect(await parseTable(text, false)).to.deep.equal(gives ?? (await same(text)));
    });

  it('are what convert_csv_to_json gives for 300 tables that look random', async () => {
    const random = new Random(29);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random.next() * from.length)] as T;
    const field = (): string => pick(['', '1', '-2.5', 'x', 'Größe', '"a,b"', '"a""b"', '"1\n2"', 'true', '007', '" "', ' 3']);
    for (let count = 0; count < 300; count++) {
      const width = 2 + Math.floor(random.next() * 4);
      const row = (): string => Array.from({ length: width - (random.next() < 0.1 ? 1 : 0) }, field).join(',');
      const head = Array.from({ length: width }, (_, index) => `c${index}`).join(',');
      const text = [head, ...Array.from({ length: Math.floor(random.next() * 6) }, row)].join(pick(['\n', '\r\n'])) + pick(['', '\n']);
      expect(await parseTable(text, false), JSON.stringify(text)).to.deep.equal(await same(text));
    }
  });

  const refused = [
    { what: 'a quote without an end', text: 'a,b\n"x,1\n', says: 'a quote is not closed, in row 2' },
    { what: 'too many columns', text: `${','.repeat(1001)}\n`, says: 'more than 1000 columns' },
    { what: 'too many fields', text: 'a,b\n'.repeat(60_000), says: 'more than 100000 fields' },
    // Each quote begins a field that has no end, were it looked for again and again.
    { what: 'a million quotes', text: `a\r\n${'"a,'.repeat(1_000_001)}`, says: 'a quote is not closed' },
  ];
  for (const { what, text, says } of refused)
    it(`are refused for ${what}`, async () => {
      const error: unknown = await parseTable(text, false).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(ParseError);
      expect(String(error)).to.include(says);
    });

  it('are read where the parameter says so, by the name of the file', async () => {
    const tool = { parameters: { rows: { type: 'array', from: 'path', tables: true }, list: { type: 'array', from: 'path' } } };
    const { seen } = await byPath({ 'a.csv': 'a,b\n1,2\n', 'a.TSV': 'a\tb,c\n1\t2\n', 'a.json': '[1]' }, { tool });
    expect(await seen({ rows_path: 'a.csv' })).to.deep.equal({ rows: [{ a: 1, b: 2 }] });
    expect(await seen({ rows_path: 'a.TSV' })).to.deep.equal({ rows: [{ a: 1, 'b,c': 2 }] });
    expect(await seen({ rows_path: 'a.json' })).to.deep.equal({ rows: [1] });
    expect((await rejection(seen({ list_path: 'a.csv' }), 'EXECUTION_FAILED')).message).to.include('is no JSON');
  });
});
