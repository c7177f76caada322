import { expect } from 'chai';
import { stemmer } from 'stemmer';
import { Lexicon } from '../../../../plugins/shared/search/lexicon.ts';
import { readWords, type Word } from '../../../../plugins/shared/search/terms.ts';

describe('a lexicon', () => {
  const texts = [
    ...["It's the dog's ball", "'quoted' words'", 'parseHTMLText of XMLHttpRequests', 'sha256 and utf8_text', 'notes/todo.txt, then v1.2'],
    ...['Kölns Straße', 'it’s ｆｕｌｌ of 天気 予報', 'e\u0301te\u0301', 'plain words – and a dash…', '', '?!'],
  ];
  for (const text of texts) {
    it(`reads the words of ${JSON.stringify(text)} as if each were read alone, the first time and again`, () => {
      const lexicon = new Lexicon(stemmer);
      for (let time = 0; time < 2; time++) expect(withTerms(lexicon, lexicon.read(text))).to.deep.equal(readWords(text, stemmer));
    });
  }

  it('stems a word once, however often and in whatever text it comes', () => {
    const stemmed: string[] = [];
    const lexicon = new Lexicon((word) => {
      stemmed.push(word);
      return stemmer(word);
    });
    for (const text of ['Orders', 'orders, orders!', 'the ORDERS – shipped', 'shipOrders']) lexicon.read(text);
    expect(stemmed).to.deep.equal(['orders', 'the', 'shipped', 'ship']);
  });

  it('has one number for the same pair of words', () => {
    const lexicon = new Lexicon(stemmer);
    const [how, many] = lexicon.read('how many') as [Word<number>, Word<number>];
    const pair = lexicon.pairOf(how.stem, many.stem);
    expect(lexicon.pairOf(how.stem, many.stem)).to.equal(pair);
    expect(lexicon.terms.get('how mani')).to.equal(pair);
  });
});

function withTerms(lexicon: Lexicon, words: readonly Word<number>[]): Word[] {
  const terms = [...lexicon.terms.keys()];
  const term = (number: number): string => terms[number] as string;
  return words.map(({ isSilent, stem, written, pieces }) => ({
    isSilent,
    stem: term(stem),
    written: term(written),
    pieces: pieces.map(term),
  }));
}
