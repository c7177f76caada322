import { expect } from 'chai';
import { withWordsOfLiterals, wordsOf } from '../../../../plugins/shared/search/words.ts';

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
