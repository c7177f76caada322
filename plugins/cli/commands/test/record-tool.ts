import { isDeepStrictEqual } from 'node:util';
import type { CallRequest, Tool } from '../../../../kernel/index.ts';
import type { Cassette, CassetteExample, Exchange } from './cassette/cassette.ts';
import { commonOf, fits } from './cassette/compare.ts';
import { later } from './cassette/later.ts';
import { madeUp, type Replayed, type Session } from './cassette/session.ts';
import { promiseFindings } from './promised-output.ts';
import type { ExampleResult, Finding } from './report/tool-result.ts';
import { type Outcome, runExample, type Stage } from './run-example.ts';

/** Result of a recording: a cassette, unless a finding prevents it. */
export interface Recording {
  readonly examples: readonly ExampleResult[];
  readonly cassette?: Cassette;
  /** Examples that only the former cassette had and whose parameters the tool no longer accepts. They are left out. */
  readonly outdated: readonly string[];
}

/**
 * Runs each example live, then replays it with the clock set ahead. Values that differ between the two runs (dates, ids, boundaries) are
 * written as `*`, and so are those that the former cassette has as `*`. Credentials that are not secret are made up too, unless a replay
 * then behaves differently. Examples that only the former cassette has are recorded again.
 */
export async function recordTool(
  live: Stage,
  replay: Stage,
  tool: Tool,
  former: Cassette | undefined,
  call: Pick<CallRequest, 'signal' | 'client'> = {},
): Promise<Recording> {
  const { examples: _examples, ...kept } = former ?? { tool: tool.name, examples: [] };
  const results: ExampleResult[] = [];
  const recorded: CassetteExample[] = [];
  const outdated: string[] = [];
  const credentials: Record<string, string> = {};
  for (const [index, wanted] of wantedExamples(tool, former).entries()) {
    const outcome = await runExample(live, tool, kept, wanted, call);
    const name = wanted.description ?? `example ${index + 1}`;
    if (isOutdated(tool, wanted, outcome)) {
      outdated.push(name);
      continue;
    }
    const draft = draftOf(wanted, outcome, live.session.recorded);
    const isUnsafe = live.session.holdsToken(JSON.stringify(draft));
    const runAgain = (used: Readonly<Record<string, string>>): Promise<Outcome> => {
      Object.assign(credentials, used, overlap(former?.credentials, used));
      const taken = { ...kept, ...(Object.keys(credentials).length === 0 ? {} : { credentials }) };
      return kept.runs === false ? Promise.resolve(outcome) : later(() => runExample(replay, tool, taken, draft, call));
    };
    const used = live.session.credentials;
    const hidden = Object.fromEntries(Object.keys(used).map((key) => [key, credentials[key] ?? madeUp(key)]));
    let again = await runAgain(hidden);
    if (!isDeepStrictEqual(hidden, used) && !isSame(outcome, again, replay.session)) again = await runAgain(used);
    const findings = [
      ...(isUnsafe ? [heldToken] : []),
      ...refusals(wanted, outcome, again),
      ...('output' in draft ? await promiseFindings(tool, wanted, draft.output) : []),
    ];
    results.push({ example: name, findings });
    recorded.push(opened(draft, again, kept.runs === false ? undefined : replay.session.replayed, wanted));
  }
  if (results.some(({ findings }) => findings.length > 0)) return { examples: results, outdated };
  const { credentials: _former, files = {}, ...rest } = kept;
  const cassette = {
    ...rest,
    ...(Object.keys(credentials).length === 0 ? {} : { credentials }),
    ...(Object.keys(files).length === 0 ? {} : { files }),
    examples: recorded,
  };
  return { examples: results, cassette, outdated };
}

const heldToken: Finding = {
  message:
    'it is not recorded: its parameters hold a token that it sent or got, such as an authorization or a cookie. Take it out of the example; it belongs into a secret.',
};

/** True when the replay made exactly the recorded requests and ended with the same result. */
function isSame(outcome: Outcome, again: Outcome, { replayed, left }: Session): boolean {
  const [one, other] = [outcome, again].map((each) => ('output' in each ? each.output : each.error));
  return isDeepStrictEqual(one, other) && left.length === 0 && replayed.every(({ request, exchange }) => fits(exchange?.request, request));
}

/** True for an example that was recorded of an earlier version of the tool. */
function isOutdated({ definition }: Tool, { parameters, error }: CassetteExample, outcome: Outcome): boolean {
  const isOwn = (definition.examples ?? []).some((example) => fits(parameters, example.parameters));
  return !isOwn && error === undefined && 'error' in outcome && outcome.error.code === 'INVALID_PARAMETERS';
}

/** Returns the definition's examples, then the others of the former cassette. */
function wantedExamples({ definition }: Tool, former: Cassette | undefined): readonly CassetteExample[] {
  const known = former?.examples ?? [];
  const own = (definition.examples ?? []).map(({ description, parameters }) => {
    const same = known.find((example) => fits(example.parameters, parameters));
    return { ...same, ...(description === undefined ? {} : { description }), parameters };
  });
  return [...own, ...known.filter(({ parameters }) => !own.some((example) => fits(parameters, example.parameters)))];
}

/** Returns the made-up values of the former cassette, which may have been edited, of credentials that the tool still uses. */
function overlap(former: Cassette['credentials'] = {}, now: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(former).filter(([name]) => Object.hasOwn(now, name) && now[name]?.startsWith('made-up-') === true),
  );
}

function draftOf({ description, parameters }: CassetteExample, outcome: Outcome, exchanges: readonly Exchange[]): CassetteExample {
  return {
    ...(description === undefined ? {} : { description }),
    parameters,
    ...(exchanges.length === 0 ? {} : { exchanges: [...exchanges] }),
    ...('output' in outcome ? { output: outcome.output } : { error: outcome.error }),
  };
}

function refusals({ error: expected }: CassetteExample, outcome: Outcome, again: Outcome): readonly Finding[] {
  if ('output' in outcome && outcome.failure !== undefined)
    return [{ message: `it failed, and is not recorded: ${sayError(outcome.failure)}` }];
  if ('error' in outcome && expected === undefined) return [{ message: `it failed, and is not recorded: ${sayError(outcome.error)}` }];
  if ('error' in again && 'output' in outcome)
    return [
      {
        message: `it cannot be run again from what was recorded: ${sayError(again.error)} What it reaches by other ways than context.fetch, context.exchange and a command cannot be recorded; "runs": false in the cassette keeps its output alone.`,
      },
    ];
  return [];
}

function sayError({ code, message }: { readonly code: string; readonly message: string }): string {
  return `${code}: ${message}`;
}

function opened(
  draft: CassetteExample,
  again: Outcome,
  replayed: readonly Replayed[] | undefined,
  former: CassetteExample,
): CassetteExample {
  const exchanges = draft.exchanges?.map((exchange, index) => {
    const same = replayed?.find((one) => one.exchange === exchange);
    if (same === undefined) return exchange;
    return { ...exchange, request: commonOf(exchange.request, same.request, former.exchanges?.[index]?.request) };
  });
  return {
    ...draft,
    ...(exchanges === undefined ? {} : { exchanges }),
    ...('output' in draft && 'output' in again ? { output: commonOf(draft.output, again.output, former.output) } : {}),
    ...('error' in draft && 'error' in again ? { error: commonOf(draft.error, again.error, former.error) as typeof again.error } : {}),
  };
}
