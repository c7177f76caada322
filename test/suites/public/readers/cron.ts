import type { PublicSuite } from '../public-suite.ts';
import { differenceFrom, toolAnswer } from '../tool-answer.ts';

interface CronCase {
  readonly e: string;
  readonly tz: string;
  readonly after: string;
  /** Moments in UTC. */
  readonly want: readonly string[];
}

/** Cron expressions with the next times that another implementation gives, for `time_next_cron`. */
export const cron: PublicSuite = {
  name: 'cron',
  casesOf: (file) =>
    (file as readonly CronCase[]).map(({ e, tz, after, want }) => ({
      id: `${e} | ${tz} | ${after}`,
      difference: async (toolkit) => {
        const answer = await toolAnswer(toolkit, 'time_next_cron', { expression: e, timezone: tz, after, count: want.length });
        const moments = ({ times }: { readonly times: readonly string[] }) => times.map((time) => new Date(time).toISOString());
        return differenceFrom(answer, want, moments);
      },
    })),
};
