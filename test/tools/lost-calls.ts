import { expect } from 'chai';
import { isPlainObject, type ToolDefinition, ToolkitError } from '../../kernel/index.ts';
import { json, type SeenRequest } from '../support/loopback.ts';
import { rejection } from '../support/rejection.ts';
import { stoppedDate } from '../support/stopped-date.ts';
import { type PackServer, packAgainst } from './packs.ts';
import { exampleFixtures } from './request-fixtures.ts';

type Body = Readonly<Record<string, unknown>>;

/** Answers as the service a question about what was created. `made`: the answer to the first example of the tool; `at`: epoch ms. */
type Told = (made: Body, at: number) => unknown;

export interface LostCall {
  readonly tool: string;
  /** Which of its examples is called. @default 0 */
  readonly example?: number;
  /** The path that is asked, with the parts of the query that matter, where `at` may stand for the time. */
  readonly asks: (at: number) => readonly string[];
  /** The answer that has what was made at this time. @default there is none: see `open` */
  readonly tells?: Told;
  /** The answer that has none; in place of it 404, where that is undefined. */
  readonly tellsNothing: unknown;
  /** Output for the caller. @default `tells`, without the list around it */
  readonly gives?: Told;
  /** Answers that leave it open. */
  readonly open?: Readonly<Record<string, Told>>;
}

/** As a service that cuts its times to seconds. */
export const secondsOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** Makes tests of calls whose answer was lost, and of which the tool that its "verify" names finds out whether they had their effect. */
export function lostCalls(provider: string, calls: readonly LostCall[]): void {
  for (const call of calls) describe(`@toolkit/${provider}: a lost call of ${call.tool}`, () => lostCall(provider, call));
}

function lostCall(provider: string, { tool, example = 0, asks, tells, tellsNothing, gives, open = {} }: LostCall): void {
  const clock = stoppedDate();

  /** Calls it, loses the answer, and lets the time pass in which the service may still work on it. `read`: what is answered to who asks then. */
  const lost = async (read: (made: Body, at: number) => { readonly status?: number; readonly body: unknown }) => {
    const made = (await exampleFixtures(provider)).get(tool)?.[example]?.answers[0]?.body as Body;
    const at = Date.now();
    let isLost = false;
    const answer = ({ method }: SeenRequest, response: Parameters<Parameters<typeof packAgainst>[1]>[1]): void => {
      const { status, body } = method === 'GET' ? read(made, at) : { status: 200, body: made };
      if (method === 'GET' || isLost) return void json(response, body, status);
      isLost = true;
      response.destroy();
    };
    const { toolkit, requests }: PackServer = await packAgainst(provider, answer);
    const { examples = [] } = toolkit.kernel.registry.get(tool).definition as ToolDefinition;
    const parameters = examples[example]?.parameters ?? {};
    const again = (): Promise<unknown> => toolkit.execute(tool, parameters, { once: 'a' });
    await rejection(again(), 'UPSTREAM_UNAVAILABLE');
    clock.tick(60_000);
    const sent = (): number => requests.filter(({ method }) => method !== 'GET').length;
    const asked = (): string => decodeURIComponent(requests.find(({ method }) => method === 'GET')?.url ?? '');
    return { again, sent, asked, made, at };
  };

  if (tells !== undefined)
    it('gives what was made, and is not sent again', async () => {
      const { again, sent, asked, made, at } = await lost((record, time) => ({ body: tells(record, time) }));
      const expected = gives?.(made, at) ?? onlyOf(tells(made, at));
      for (const _ of [1, 2]) expect(await again()).to.deep.equal(expected);
      for (const part of asks(at)) expect(asked()).to.include(part);
      expect(sent()).to.equal(1);
    });

  if (tells !== undefined)
    it('is sent again where nothing was made, or only before', async () => {
      for (const told of [() => tellsNothing, (record: Body, at: number) => tells(record, at - 3_600_000)]) {
        const { again, sent, made } = await lost((record, at) => {
          const body = told(record, at);
          return body === undefined ? { status: 404, body: {} } : { body };
        });
        expect(await again()).to.deep.equal(made);
        expect(sent()).to.equal(2);
      }
    });

  for (const [what, told] of Object.entries(open))
    it(`stays unknown, and is not sent again, where ${what}`, async () => {
      const { again, sent } = await lost((record, at) => ({ body: told(record, at) }));
      expect((await rejection(again(), 'OUTCOME_UNKNOWN')).message).to.include('"verify" leaves it open');
      expect(sent()).to.equal(1);
    });

  for (const [status, isForNow] of [
    [503, true],
    [403, false],
  ] as const)
    it(`stays unknown, and is not sent again, where asking fails with ${status}`, async () => {
      const { again, sent } = await lost(() => ({ status, body: { message: 'No.' } }));
      const error = await rejection(again(), 'OUTCOME_UNKNOWN');
      expect(ToolkitError.is(error) && error.retryable).to.equal(isForNow);
      expect(sent()).to.equal(1);
    });
}

/** Returns the items of the only list in an answer, or the answer. */
function onlyOf(body: unknown): unknown {
  const list = Array.isArray(body) ? body : isPlainObject(body) ? Object.values(body).find(Array.isArray) : undefined;
  return list === undefined ? body : list[0];
}
