import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { connect, textOf } from '../../../plugins/mcp/support/client.ts';
import { coreToolkit } from '../../../support/core-toolkit.ts';
import { pythonValue } from '../../../support/python.ts';
import { Random } from '../../../support/random.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

/** 560 rows of five symbols, of which some lack a price. */
function prices(): string {
  const random = new Random(29);
  const symbols = ['AAAA', 'BBBB', 'CCCC', 'DDDD', 'EEEE'];
  const rows = Array.from({ length: 560 }, (_, index) => {
    const price = index % 50 === 7 ? '' : (random.next() * 600).toFixed(2);
    return `${symbols[Math.floor(random.next() * 5)]},"Jan ${1 + (index % 12)}, 2026",${price}`;
  });
  return `symbol,date,price\n${rows.join('\n')}\n`;
}

describe('a column of a CSV file', () => {
  const python = (filter: string): number =>
    pythonValue<number>(
      `statistics.fmean(float(row["price"]) for row in csv.DictReader(io.StringIO(given)) if row["price"] ${filter})`,
      prices() as never,
      'import csv, io, statistics',
    );

  it('is described by its path, all of it by math_statistics and by group with json_query, for at most 1,500 tokens', async () => {
    const folder = await temporaryFolder({ 'prices.csv': prices() });
    const mcp = await connect((await coreToolkit({ roots: [folder] })).kernel);
    let tokens = 0;
    const call = async (tool: string, given: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const shown = textOf(await mcp.call(tool, given));
      tokens += countTokens(shown) + countTokens(JSON.stringify(given));
      return JSON.parse(shown) as Record<string, unknown>;
    };
    const { mean, count } = await call('math_statistics', { values_path: 'prices.csv', column: 'price', percentiles: [] });
    expect(mean).to.be.closeTo(python(''), 1e-9);
    expect(count).to.equal(548);
    const query = "{AAAA: avg([?symbol=='AAAA' && price].price), EEEE: avg([?symbol=='EEEE' && price].price)}";
    const { result } = await call('json_query', { data_path: 'prices.csv', language: 'jmespath', query });
    const means = result as Record<string, number>;
    expect(means['AAAA']).to.be.closeTo(python('and row["symbol"] == "AAAA"'), 1e-9);
    expect(means['EEEE']).to.be.closeTo(python('and row["symbol"] == "EEEE"'), 1e-9);
    expect(tokens).to.be.at.most(1_500);
  });

  it('needs a name that the rows have, with numbers in it', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'a.csv'), 'name,price\npen,2\n');
    const toolkit = await coreToolkit({ roots: [folder] });
    for (const [given, says] of [
      [{}, '"column": is required for rows: one of name, price'],
      [{ column: 'name' }, 'is no number in row 1: received string "pen"'],
      [{ column: 'cost' }, 'which no row has. Expected one of name, price'],
      [{ column: 'constructor' }, 'which no row has'],
    ] as const) {
      const error = await rejection(toolkit.execute('math_statistics', { values_path: 'a.csv', ...given }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
    }
  });
});
