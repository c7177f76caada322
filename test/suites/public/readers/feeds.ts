import type { PublicSuite } from '../public-suite.ts';
import { differenceFrom, toolAnswer } from '../tool-answer.ts';
import { feedOf } from './feed-inputs.ts';

interface FeedCase {
  /** The path of the file. */
  readonly p: string;
  /** An expression in Python. */
  readonly exp: string;
}

interface Feed {
  readonly title: string | null;
  readonly about: Readonly<Record<string, string>>;
  readonly items: readonly Readonly<Record<string, string | null>>[];
}

/** The well-formed feeds of Python's feedparser, for `web_read_feed`. The cases hold no input: it is made of path and expectation. */
export const feeds: PublicSuite = {
  name: 'feeds',
  casesOf: (file) =>
    (file as readonly FeedCase[]).map(({ p, exp }) => ({
      id: p,
      difference: async (toolkit) => {
        const made = feedOf(p, exp);
        if (made === undefined) return 'no input can be made of the path and the expectation';
        const answer = await toolAnswer(toolkit, 'web_read_feed', { xml: made.xml });
        const expected = made.isMarkup ? wordsIn(made.value) : made.value;
        return differenceFrom(answer, expected, (feed: Feed) => memberOf(feed, made.member, expected));
      },
    })),
};

/** The words of a tool without markup in its texts in place of a value. */
function wordsIn(value: string): string {
  const words = value
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  return words.trim();
}

/** Returns what the feed says for a member of feedparser. Of an author that is written as `Name (address)` the part that is asked for. */
function memberOf({ title, about, items }: Feed, member: string, expected: string): unknown {
  const [owner = '', name = '', part = ''] = member.split('.');
  if (owner === 'version') return about['format'];
  const found = (owner === 'feed' ? { title, ...about } : { ...items[0] }) as Readonly<Record<string, string | null>>;
  const value = found[name];
  if (name === 'updated_at') return new Date(value ?? '').getTime() === new Date(expected).getTime() ? expected : value;
  if (part === 'email') return /\((.*)\)$/.exec(value ?? '')?.[1] ?? value;
  return part === 'name' ? value?.replace(/ \(.*\)$/, '') : value;
}
