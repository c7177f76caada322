import { isDeepStrictEqual } from 'node:util';
import type { CallRequest, Tool } from '../../../../kernel/index.ts';
import type { Cassette, CassetteExample, Exchange } from './cassette/cassette.ts';
import { matches, mergeRuns } from './cassette/compare.ts';
import { madeUpValue, type ReplayedRequest, type Session } from './cassette/session.ts';
import { withLaterClock } from './cassette/with-later-clock.ts';
import { compareWithDefinition } from './compare-with-definition.ts';
import type { ExampleResult, Finding } from './report/tool-result.ts';
import { type Outcome, runExample, type TestSetup } from './run-example.ts';

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
  live: TestSetup,
  replay: TestSetup,
  tool: Tool,
  former: Cassette | undefined,
  call: Pick<CallRequest, 'signal' | 'client'> = {},
): Promise<Recording> {
  const { examples: _examples, ...kept } = former ?? { tool: tool.name, examples: [] };
  const results: ExampleResult[] = [];
  const recorded: CassetteExample[] = [];
  const outdated: string[] = [];
  const credentials: Record<string, string> = {};
  for (const [index, example] of selectExamples(tool, former).entries()) {
    const outcome = await runExample(live, tool, kept, example, call);
    const name = example.description ?? `example ${index + 1}`;
    if (isOutdated(tool, example, outcome)) {
      outdated.push(name);
      continue;
    }
    const draft = draftOf(example, outcome, live.session.recorded);
    const isUnsafe = live.session.holdsToken(JSON.stringify(draft));
    const runAgain = (used: Readonly<Record<string, string>>): Promise<Outcome> => {
      Object.assign(credentials, used, reuseMadeUp(former?.credentials, used));
      const replayCassette = { ...kept, ...(Object.keys(credentials).length === 0 ? {} : { credentials }) };
      return kept.runs === false ? Promise.resolve(outcome) : withLaterClock(() => runExample(replay, tool, replayCassette, draft, call));
    };
    const used = live.session.credentials;
    const hidden = Object.fromEntries(Object.keys(used).map((key) => [key, credentials[key] ?? madeUpValue(key)]));
    let replayOutcome = await runAgain(hidden);
    if (!isDeepStrictEqual(hidden, used) && !isSame(outcome, replayOutcome, replay.session)) replayOutcome = await runAgain(used);
    const findings = [
      ...(isUnsafe ? [heldToken] : []),
      ...recordingFindings(example, outcome, replayOutcome),
      ...('output' in draft ? await compareWithDefinition(tool, example, draft.output) : []),
    ];
    results.push({ example: name, findings });
    recorded.push(addWildcards(draft, replayOutcome, kept.runs === false ? undefined : replay.session.replayed, example));
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
function isSame(outcome: Outcome, again: Outcome, { replayed, unused }: Session): boolean {
  const [one, other] = [outcome, again].map((each) => ('output' in each ? each.output : each.error));
  return (
    isDeepStrictEqual(one, other) && unused.length === 0 && replayed.every(({ request, exchange }) => matches(exchange?.request, request))
  );
}

/** True for an example that was recorded of an earlier version of the tool. */
function isOutdated({ definition }: Tool, { parameters, error }: CassetteExample, outcome: Outcome): boolean {
  const isOwn = (definition.examples ?? []).some((example) => matches(parameters, example.parameters));
  return !isOwn && error === undefined && 'error' in outcome && outcome.error.code === 'INVALID_PARAMETERS';
}

/** Returns the definition's examples, then the others of the former cassette. */
function selectExamples({ definition }: Tool, former: Cassette | undefined): readonly CassetteExample[] {
  const known = former?.examples ?? [];
  const own = (definition.examples ?? []).map(({ description, parameters }) => {
    const same = known.find((example) => matches(example.parameters, parameters));
    return { ...same, ...(description === undefined ? {} : { description }), parameters };
  });
  return [...own, ...known.filter(({ parameters }) => !own.some((example) => matches(parameters, example.parameters)))];
}

/** Returns the made-up values of the former cassette, which may have been edited, of credentials that the tool still uses. */
function reuseMadeUp(former: Cassette['credentials'] = {}, now: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
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

function recordingFindings({ error: expected }: CassetteExample, outcome: Outcome, again: Outcome): readonly Finding[] {
  if ('output' in outcome && outcome.failure !== undefined)
    return [{ message: `it failed, and is not recorded: ${formatError(outcome.failure)}` }];
  if ('error' in outcome && expected === undefined) return [{ message: `it failed, and is not recorded: ${formatError(outcome.error)}` }];
  if ('error' in again && 'output' in outcome)
    return [
      {
        message: `it cannot be run again from what was recorded: ${formatError(again.error)} What it reaches by other ways than context.fetch, context.exchange and a command cannot be recorded; "runs": false in the cassette keeps its output alone.`,
      },
    ];
  return [];
}

function formatError({ code, message }: { readonly code: string; readonly message: string }): string {
  return `${code}: ${message}`;
}

function addWildcards(
  draft: CassetteExample,
  again: Outcome,
  replayed: readonly ReplayedRequest[] | undefined,
  former: CassetteExample,
): CassetteExample {
  const exchanges = draft.exchanges?.map((exchange, index) => {
    const same = replayed?.find((one) => one.exchange === exchange);
    if (same === undefined) return exchange;
    return { ...exchange, request: mergeRuns(exchange.request, same.request, former.exchanges?.[index]?.request) };
  });
  return {
    ...draft,
    ...(exchanges === undefined ? {} : { exchanges }),
    ...('output' in draft && 'output' in again ? { output: mergeRuns(draft.output, again.output, former.output) } : {}),
    ...('error' in draft && 'error' in again ? { error: mergeRuns(draft.error, again.error, former.error) as typeof again.error } : {}),
  };
}
