import { testCatalogue } from './vendors/catalogue-tests.ts';
import { testExchanges } from './vendors/exchange-tests.ts';
import { testFailures } from './vendors/failure-tests.ts';
import { testPaging } from './vendors/paging-tests.ts';
import { missingSources, sourceFolders } from './vendors/source-folders.ts';
import { readSources } from './vendors/sources.ts';

const folders = sourceFolders();
const missing = missingSources(folders);

if (missing === undefined) {
  const sources = readSources(folders);
  testCatalogue(sources);
  testExchanges(sources);
  testPaging(sources);
  testFailures(sources);
} else {
  describe('the provider packs', () => {
    it('are held against the descriptions of their vendors', () => {
      throw new Error(missing);
    });
  });
}
