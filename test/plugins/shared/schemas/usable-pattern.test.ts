import { expect } from 'chai';
import { usablePattern } from '../../../../plugins/shared/schemas/usable-pattern.ts';

describe('a pattern of a document', () => {
  const kept = [
    '^[a-z0-9]+(?:-[a-z0-9]+)*$',
    '[a-z]+',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^.*\\.csv$',
    '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
    '^(?!-)[a-z-]{1,63}$',
    '^\\p{L}{1,40}$',
    '^arn:aws:[a-z]+:\\w*:\\d{12}:.+$',
    '^(a|b|c)+$',
    '^[\\w.-]{1,64}$',
  ];
  for (const pattern of kept) it(`stays: ${pattern}`, () => expect(usablePattern(pattern)).to.deep.equal({ pattern }));

  const changed = [
    { given: '/^[a-z]+$/', pattern: '^[a-z]+$' },
    { given: '^\\@[a-z\\_]+\\-x$', pattern: '^@[a-z_]+-x$' },
    { given: '\\Aab\\z', pattern: '^ab$' },
  ];
  for (const { given, pattern } of changed)
    it(`becomes one that JavaScript compiles: ${given}`, () => expect(usablePattern(given)).to.deep.equal({ pattern }));

  const slow = [
    '(a+)+$',
    '^(a|a)*$',
    '^(a|ab)*c$',
    '^(.*)*$',
    '^(\\w+\\s?)*$',
    '.*.*=.*',
    '^.*foo.*bar$',
    '^(a?){1,50}a{50}$',
    '^(a)\\1$',
    '\\s*x\\s*$',
  ];
  for (const pattern of slow)
    it(`is left out when it may take very long: ${pattern}`, () => expect(usablePattern(pattern).reason).to.include('very long'));

  const refused = [{ given: '(?P<name>a)' }, { given: '[' }, { given: '('.repeat(101) + ')'.repeat(101) }, { given: 5 }];
  for (const { given } of refused)
    it(`is left out when JavaScript cannot take it: ${String(given).slice(0, 20)}`, () =>
      expect(usablePattern(given)).to.have.keys('reason'));
});
