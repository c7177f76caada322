import { robotsRules } from '../../../../tools/core/web/robots-rules.ts';
import type { PublicSuite } from '../public-suite.ts';

interface RobotsCase {
  /** The name of the test, which several cases have. */
  readonly name: string;
  readonly txt: string;
  /** The crawler. */
  readonly ua: string;
  readonly url: string;
  readonly want: boolean;
}

/** Google's tests of its parser of robots.txt, for the part of `web_read_robots` that runs in a child process: the tool itself asks a site. */
export const robots: PublicSuite = {
  name: 'robots',
  casesOf: (file) =>
    (file as readonly RobotsCase[]).map(({ name, txt, ua, url, want }) => ({
      id: `${name}: ${ua} at ${url} by ${txt.trim().split('\n').join(' | ')}`,
      difference: async () => {
        // As the tool asks: an address is written as it is sent.
        const asked = new URL(url).href;
        const { allowed } = await robotsRules({ text: txt, place: new URL('/robots.txt', url).href, user_agent: ua, asked });
        return allowed === want ? undefined : `expected ${want}, received ${allowed}`;
      },
    })),
};
