import { expect } from 'chai';
import { missingFolder } from '../suites/public/cases-folder.ts';
import { checkedLines, type DeviationLine, readDeviationLines, suitesWithLines } from '../suites/public/deviation-lines.ts';
import type { PublicSuite } from '../suites/public/public-suite.ts';
import { publicSuites } from '../suites/public/public-suites.ts';
import { linesShare, resultTable, runSuite, type SuiteResult } from '../suites/public/suite-result.ts';
import { sharedToolkit } from '../tools/core/fs/shared-toolkit.ts';

const line: DeviationLine = { id: 'b', authority: 'RFC 1', reason: 'It is so.' };

describe('the lines of deviations from public suites', () => {
  it('have an authority, a reason and an id of their own in each file, and a reader of their suite', async () => {
    const names = await suitesWithLines();
    expect(names).to.not.be.empty;
    for (const name of names) await readDeviationLines(name);
    expect(names.filter((name) => !publicSuites.some((suite) => suite.name === name))).to.deep.equal([]);
  });

  const malformed: readonly { readonly lines: unknown; readonly says: string }[] = [
    { lines: { id: 'b' }, says: 'expected array' },
    { lines: [{ ...line, authority: '' }], says: '[0].authority' },
    { lines: [{ ...line, reason: ' \n' }], says: '[0].reason' },
    { lines: [line, { id: 'c', authority: 'RFC 1' }], says: '[1].reason' },
    { lines: [{ ...line, why: 'x' }], says: 'why' },
    { lines: [line, line], says: 'two lines for "b"' },
  ];
  for (const { lines, says } of malformed)
    it(`may not be ${JSON.stringify(lines)}`, () => {
      expect(() => checkedLines(lines, 'some.yaml'))
        .to.throw(says)
        .with.property('message')
        .that.includes('some.yaml');
    });
});

describe('the run of a public suite', () => {
  const shared = sharedToolkit();
  // Two cases that pass and two that do not.
  const suite: PublicSuite = {
    name: 'sums',
    casesOf: (file) =>
      (file as readonly [id: string, text: string, sum: string][]).map(([id, text, sum]) => ({
        id,
        difference: async (toolkit) => {
          const { result } = (await toolkit.execute('math_evaluate', { expression: text })) as { readonly result: unknown };
          return String(result) === sum ? undefined : `received ${result}`;
        },
      })),
  };
  const cases = [
    ['a', '1 + 1', '2'],
    ['b', '1 + 2', '4'],
    ['c', '1 + 3', '4'],
    ['d', '1 + 4', '6'],
  ];
  const run = (lines: readonly DeviationLine[], file: unknown = cases): Promise<SuiteResult> =>
    runSuite(suite, file, checkedLines(lines, 'sums.yaml'), shared.toolkit);

  it('fails for a case that differs without a line, and for a line whose case passes', async () => {
    const { failures, lines, unused } = await run([line, { ...line, id: 'c' }, { ...line, id: 'e' }]);
    expect(failures).to.deep.equal(['"c": has a line, and its case passes. Take the line out.', '"d": received 5']);
    expect({ lines, unused }).to.deep.equal({ lines: 1, unused: ['e'] });
  });

  it('fails for two cases of one id', async () => {
    const { failures } = await run([line, { ...line, id: 'd' }], [...cases, ['a', '2', '2']]);
    expect(failures).to.have.length(1);
    expect(failures[0]).to.include('"a": two cases');
  });

  it('counts the lines of the suites that count', async () => {
    const result = await run([line, { ...line, id: 'd' }]);
    expect(result.failures).to.deep.equal([]);
    expect(linesShare([result])).to.equal(0.5);
    expect(linesShare([result, { ...result, counts: false }])).to.equal(0.5);
    expect(linesShare([])).to.equal(0);
    expect(resultTable([result]))
      .to.match(/^sums +4 +2 +2 +0 *$/m)
      .and.to.include('lines: 50.0 % of the cases that count, at most 15.0 %');
  });

  it('says what it needs where the folder is missing', () => {
    expect(missingFolder('test')).to.equal(undefined);
    expect(missingFolder('no/such/folder'))
      .to.include('no/such/folder')
      .and.to.include('TOOLKIT_SUITES=<folder> npm run test:suite deviations');
  });
});
