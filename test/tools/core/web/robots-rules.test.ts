import { expect } from 'chai';
import { robotsRules } from '../../../../tools/core/web/robots-rules.ts';
import { rejection } from '../../../support/rejection.ts';

const place = 'https://a.example/robots.txt';

describe('the rules of a robots.txt', () => {
  for (const [what, text, given, allowed] of [
    ['a Sitemap between two agents', 'User-agent: a\nSitemap: https://a.example/s\nUser-agent: b\nDisallow: /', { user_agent: 'a' }, false],
    ['an agent with a version', 'User-agent: Bot/1.0\nDisallow: /', { user_agent: 'bot' }, false],
    ['an agent without rules', 'User-agent: bot\n\nUser-agent: *\nDisallow: /', { user_agent: 'bot', path: '/x' }, false],
    ['an agent that may do all', 'User-agent: bot\nDisallow:\n\nUser-agent: *\nDisallow: /', { user_agent: 'bot' }, true],
    ['a needless escape', 'User-agent: *\nDisallow: /%7Ejoe', { path: '/~joe/x' }, false],
    ['a path with two slashes', 'User-agent: *\nDisallow: /', { path: '//private/x' }, false],
    ['the robots.txt', 'User-agent: *\nDisallow: /', { path: '/robots.txt' }, true],
    ['names of the prototype', 'User-agent: __proto__\nDisallow: /\n\nUser-agent: *\nAllow: /', { user_agent: 'constructor' }, true],
  ] as const) {
    it(`says ${allowed} with ${what}`, async () => {
      const { path = '/p', user_agent = '*' }: { readonly path?: string; readonly user_agent?: string } = given;
      const asked = `https://a.example${path}`;
      expect(await robotsRules({ text, place, user_agent, asked })).to.include({ allowed });
    });
  }

  it('gives no more rules than a text of its size may have', async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `User-agent: b${index}`);
    const text = [...lines, ...lines.map(() => 'Disallow: /x')].join('\n');
    const error = await rejection(robotsRules({ text, place, user_agent: '*' }), 'OUTPUT_TOO_LARGE');
    expect(error.message).to.include('100000000 rules').and.include('user_agent');
    expect(await robotsRules({ text, place, user_agent: 'B77', asked: `${place}/../x` })).to.include({ allowed: false });
  });
});
