import { expect } from 'chai';
import { itemsOf } from '../../../../tools/core/web/feed-items.ts';

describe('the entries of a feed', () => {
  const texts = [
    { what: 'markup and references in CDATA', given: '<![CDATA[<p>AT&amp;T&#8217;s</p><p>x&nbsp;y</p>]]>', expected: 'AT&T’s x y' },
    { what: 'escaped markup', given: '&lt;b&gt;a&lt;/b&gt;&lt;br&gt;&amp;lt;i&amp;gt;', expected: 'a <i>' },
    { what: 'signs that are no markup', given: 'a &lt; b &amp; c &gt; d', expected: 'a < b & c > d' },
    { what: 'a script', given: '<![CDATA[a<script>steal("<b>")</script><style>p{}</style>b]]>', expected: 'ab' },
    { what: 'scripts without an end', given: `<![CDATA[a ${'<script>'.repeat(100_000)}]]>`, expected: 'a' },
    { what: 'tags without an end', given: `<![CDATA[a ${'<'.repeat(100_000)}]]>`, expected: undefined },
  ];
  for (const { what, given, expected } of texts) {
    it(`gives the words of a title and a summary with ${what}`, async () => {
      const xml = `<rss version="2.0"><channel><title>t</title><item><title>${given}</title><description>${given}</description></item></channel></rss>`;
      const { items } = await itemsOf({ text: xml, limit: 20 });
      if (expected !== undefined) expect(items).to.deep.equal([{ title: expected, link: null, published_at: null, summary: expected }]);
      else expect(items).to.have.nested.property('[0].summary.length', 2000);
    });
  }

  it('takes the texts of a JSON feed for what they say they are', async () => {
    const items = [
      { id: '1', title: 'a <b> & c', content_text: 'use <em> &amp; co' },
      { id: '2', content_html: '<p>x &amp; y' },
    ];
    const xml = JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'T', items });
    const read = await itemsOf({ text: xml, limit: 20 });
    expect(read.items.map(({ title, summary }) => [title, summary])).to.deep.equal([
      ['a <b> & c', 'use <em> &amp; co'],
      [null, 'x & y'],
    ]);
  });
});
