import { expect } from 'chai';
import { stemmer } from 'stemmer';
import {
  askedTerms,
  describedTerms,
  kindOfTerm,
  namedTerms,
  terseTerms,
  withWordsOfLiterals,
  wordsOf,
} from '../../../../plugins/shared/search/words.ts';

describe('the words of a text', () => {
  const cases = [
    { text: 'sendReminder', words: ['send', 'reminder'] },
    { text: 'parseHTMLText', words: ['parse', 'html', 'text'] },
    { text: 'shop_list-orders.v2', words: ['shop', 'list', 'orders', 'v', '2'] },
    { text: 'sha256', words: ['sha', '256'] },
    { text: "it's Köln’s", words: ['its', 'kölns'] },
    { text: 'ｆｕｌｌ 天気 予報', words: ['full', '天気', '予報'] },
    { text: '?! 😀', words: [] },
  ];
  for (const { text, words } of cases) {
    it(`are ${JSON.stringify(words)} in ${JSON.stringify(text)}`, () => {
      expect(wordsOf(text)).to.deep.equal(words);
    });
  }
});

describe('the terms of a text', () => {
  it('are, of a description, the stems of words that say something', () => {
    expect(describedTerms('It lists the orders of a customer', stemmer)).to.deep.equal(['list', 'order', 'custom']);
  });

  it('are, of a name, the same of all its words, small ones too', () => {
    expect(namedTerms('get_orders', stemmer)).to.deep.equal([
      ...['get', 'order', '=get', '=orders'],
      ...['~^get', '~get$', '~^ord', '~orde', '~rder', '~der$'],
    ]);
  });

  it('are, of a question, stems, words as written, pairs with a small word, and pieces', () => {
    const terms = askedTerms('How many big orders', stemmer);
    const ofKind = (wanted: string): string[] => terms.filter((term) => kindOfTerm(term) === wanted);
    expect(ofKind('word')).to.deep.equal(['how', 'mani', 'big', 'order']);
    expect(ofKind('written')).to.deep.equal(['=how', '=many', '=big', '=orders']);
    expect(ofKind('pair')).to.deep.equal(['how mani']);
    expect(ofKind('piece')).to.include.members(['~^ord', '~orde', '~rder', '~der$']).and.not.include('~^how');
  });

  it('are, of a description without intents, its telling words as written, and their pieces', () => {
    expect(terseTerms('Lists the big orders', stemmer)).to.deep.equal([
      ...['=lists', '=big', '=orders'],
      ...['~^lis', '~list', '~ist$', '~^big', '~big$', '~^ord', '~orde', '~rder', '~der$'],
    ]);
  });

  it('are no longer than forty letters', () => {
    const terms = askedTerms('x'.repeat(10_000), stemmer);
    expect(Math.max(...terms.map(({ length }) => length))).to.equal(41);
  });
});

describe('a question', () => {
  const cases = [
    { question: 'is https://shop.example/sale dead', words: 'url link' },
    { question: 'who is bob@shop.example', words: 'email address' },
    { question: 'open notes/todo.txt', words: 'file' },
  ];
  for (const { question, words } of cases) {
    it(`is also about "${words}" when it holds one: ${question}`, () => {
      expect(withWordsOfLiterals(question)).to.equal(`${question} . ${words}`);
    });
  }

  it('stays as it is without a literal', () => {
    expect(withWordsOfLiterals('send a mail to bob, v1.2')).to.equal('send a mail to bob, v1.2');
  });
});
