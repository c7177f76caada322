import { expect } from 'chai';
import { terminalText, visibleText } from '../../../../plugins/shared/text/visible-text.ts';

describe('foreign text', () => {
  const texts = [
    { text: 'plain, Grüße, 日本語 👍', terminal: 'plain, Grüße, 日本語 👍', client: 'plain, Grüße, 日本語 👍' },
    { text: 'a\nb\u001b[2J', terminal: 'a\\u000ab\\u001b[2J', client: 'a\\u000ab\\u001b[2J' },
    { text: '\u202eevil\u009b', terminal: '\\u202eevil\\u009b', client: '\\u202eevil\\u009b' },
    { text: '<b>1 < 2</b>', terminal: '<b>1 < 2</b>', client: '\\u003cb>1 < 2\\u003c/b>' },
    { text: '\u{e0041}', terminal: '\\udb40\\udc41', client: '\\udb40\\udc41' },
  ];
  for (const { text, terminal, client } of texts) {
    it(`hides nothing: ${JSON.stringify(text)}`, () => {
      expect({ terminal: terminalText(text), client: visibleText(text) }).to.deep.equal({ terminal, client });
    });
  }
});
