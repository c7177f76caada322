import { expect } from 'chai';
import { searchedHtml } from '../../../../../plugins/toolkit/docs/site/searched-html.ts';
import { searchTerms } from '../../../../../plugins/toolkit/docs/site/site-config.ts';

const html = [
  '<h1 id="codes">Codes <a href="#codes"></a></h1>',
  '<h2 id="all">All <a href="#all"></a></h2>',
  '<table><tr id="timeout">\n<td><code>TIMEOUT</code></td>\n<td>too late &#123;</td>\n</tr></table>',
].join('\n');

describe('the search index of the site', () => {
  it('has an entry for each row with an anchor, below its heading', () => {
    expect(searchedHtml(html, { isSearched: true })).to.include('<h3>TIMEOUT<a href="#timeout"></a></h3>\n<td>too late {</td>');
  });

  it('has one entry for a page with words of its own, as text', () => {
    const words = searchedHtml(html, { isSearched: true, words: 'finds <b>' });
    expect(words).to.equal('<h1 id="codes">Codes <a href="#codes"></a></h1>\nfinds &lt;b&gt;');
  });

  it('has nothing of a page that is not searched', () => {
    expect(searchedHtml(html, { isSearched: false })).to.equal('');
  });

  it('has the words of a name and the whole name', () => {
    expect(searchTerms('see RATE_LIMITED, paginate.limit')).to.include.members([
      'see',
      'RATE',
      'LIMITED',
      'RATE_LIMITED',
      'paginate.limit',
    ]);
  });
});
