import { expect } from 'chai';
import { sharedToolkit } from '../tools/core/fs/shared-toolkit.ts';
import { casesFolder, missingFolder, readCases } from './public/cases-folder.ts';
import { maxLinesShare, readDeviationLines } from './public/deviation-lines.ts';
import { publicSuites } from './public/public-suites.ts';
import { linesShare, resultTable, runSuite, type SuiteResult } from './public/suite-result.ts';

describe('the cases of public suites', () => {
  const missing = missingFolder(casesFolder);
  if (missing !== undefined) {
    it('are answered as the suites say', () => {
      throw new Error(missing);
    });
    return;
  }

  const shared = sharedToolkit();
  const results: SuiteResult[] = [];
  let files: ReadonlyMap<string, unknown> = new Map();
  before(async () => {
    files = await readCases(casesFolder);
  });
  after(() => {
    process.stdout.write(`\n${resultTable(results)}\n`);
  });

  it('have a reader each', () => {
    const names = publicSuites.map(({ name }) => name);
    expect([...files.keys()].filter((name) => !names.includes(name))).to.deep.equal([]);
  });

  for (const suite of publicSuites)
    it(`of ${suite.name} are answered as it says, or have a line`, async () => {
      if (!files.has(suite.name)) return;
      const result = await runSuite(suite, files.get(suite.name), await readDeviationLines(suite.name), shared.toolkit);
      results.push(result);
      if (result.failures.length > 0) throw new Error(result.failures.join('\n'));
    });

  it('have few lines', () => {
    expect(linesShare(results)).to.be.at.most(maxLinesShare);
  });
});
