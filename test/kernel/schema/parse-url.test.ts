import { expect } from 'chai';
import { asciiHost, hostExcess, parseUrl, toUrl, unicodeHost } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';

const marks = '\u0315\u0300'.repeat(300_000);
const long = 'a'.repeat(254);

describe('a URL with a host that is too long', () => {
  const refused: Readonly<Record<string, readonly [text: string, base?: string]>> = {
    'marks after a letter': [`http://a${marks}.de/`],
    'a protocol in capitals, and no slashes': [`HTTPS:a${marks}`],
    'many slashes of both kinds': [`ws:/\\/\\a${marks}`],
    'a user name and a port': [`http://me:${long}@${long}:80/`],
    'blanks and line breaks before and inside': [` \n\tht\ntp:/\t/a${marks}`],
    'no protocol, and a base': [`//a${marks}/b`, 'https://example.com/'],
    'backslashes, and a base': [`\\\\a${marks}/b`, 'https://example.com/'],
    'the base': ['/b', `https://a${marks}/`],
    'a protocol that nobody knows': [`foo://${long}/`],
    'marks that are escaped': [`http://a${'%CC%95%CC%80'.repeat(1000)}/`],
    '254 letters': [`http://${long}/`],
  };

  for (const [what, given] of Object.entries(refused))
    it(`is refused before it is parsed: ${what}`, async () => {
      expect(parseUrl(...given)).to.equal(undefined);
      expect(hostExcess(...given)).to.match(/^expected a host of at most 253 characters, received one of \d+$/);
      await rejection((async () => toUrl(...given))(), 'INVALID_PARAMETERS');
    });

  const taken: Readonly<Record<string, readonly [text: string, base?: string]>> = {
    '253 letters': [`http://${long.slice(1)}/`],
    'a long user name': [`http://${'u'.repeat(1000)}:${'p'.repeat(1000)}@example.com:8080/`],
    'a long path with marks': [`http://example.com/${'\u0315\u0300'.repeat(1000)}`],
    'a long query without a path': [`http://example.com?${'a'.repeat(1000)}@b`],
    'a data URL': [`data:text/plain,${'a'.repeat(1000)}`],
    'a mail address': [`mailto:${'a'.repeat(300)}@example.com`],
    'a path relative to a base': [`${'a'.repeat(1000)}/b`, 'https://example.com/'],
    'a long name of a file': [`file:///${'a'.repeat(1000)}`],
  };

  for (const [what, given] of Object.entries(taken))
    it(`is another thing than ${what}`, () => {
      expect(parseUrl(...given)?.href).to.equal(new URL(...given).href);
      expect(toUrl(...given).href).to.equal(new URL(...given).href);
    });

  it('has neither an ASCII form nor one with letters', () => {
    expect([asciiHost(`a${marks}`), unicodeHost(`xn--${marks}`)]).to.deep.equal(['', '']);
    expect([asciiHost('köln.de'), unicodeHost('xn--kln-sna.de')]).to.deep.equal(['xn--kln-sna.de', 'köln.de']);
  });
});
