import { expect } from 'chai';
import { shownUri } from '../../../../plugins/shared/telemetry/shown-uri.ts';

const cases: Readonly<Record<string, string>> = {
  'shop://orders/7': 'shop://orders/7',
  'shop://orders/7?token=abc': 'shop://orders/7',
  'shop://orders/7#token': 'shop://orders/7',
  'db://ada:word@host/table': 'db://host/table',
  'db://ada:w@rd@host/table': 'db://host/table',
  'shop://orders/a@b': 'shop://orders/a@b',
  'urn:isbn:0451450523': 'urn:isbn:0451450523',
  'no URI': 'no URI',
  '?token=abc': '',
};

describe('the URI of a resource in a span', () => {
  for (const [uri, shown] of Object.entries(cases))
    it(`is ${shown || 'empty'} for ${uri}`, () => {
      expect(shownUri(uri)).to.equal(shown);
    });

  it('is cut, not within a character', () => {
    expect(shownUri(`a://${'x'.repeat(195)}😀`)).to.equal(`a://${'x'.repeat(195)}�`);
  });
});
