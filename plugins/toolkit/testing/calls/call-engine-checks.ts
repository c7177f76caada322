import type { CallEngine, EngineHost } from '../../../../kernel/index.ts';
import { decisionChecks } from './decision-checks.ts';
import type { Check } from './engine-check.ts';
import { outcomeChecks } from './outcome-checks.ts';
import { ScriptedHost } from './scripted-host.ts';
import { submissionChecks } from './submission-checks.ts';
import { workChecks } from './work-checks.ts';

/** A behaviour that an engine must have, for a test runner: `for (const { title, run } of callEngineChecks(open)) it(title, run);` */
export interface CallEngineCheck {
  readonly title: string;
  /** Rejects with the problem. */
  readonly run: () => Promise<void>;
}

/** Opens the engines of two processes that share calls, initially none. Neither runs calls until told to. Both are closed after the check. */
export type OpenEngines = (one: EngineHost, other: EngineHost) => Promise<readonly [CallEngine, CallEngine]>;

const checks: Readonly<Record<string, Check>> = { ...submissionChecks, ...workChecks, ...outcomeChecks, ...decisionChecks };

/** Returns the contract of an engine as checks, each of which may be a test. */
export function callEngineChecks(open: OpenEngines): readonly CallEngineCheck[] {
  return Object.entries(checks).map(([title, check]) => ({
    title,
    run: async () => {
      const engines: CallEngine[] = [];
      try {
        await check(async (script) => {
          const host = new ScriptedHost(script);
          const [one, other] = await open(host, new OtherHost(host));
          engines.push(one, other);
          return { one, other, host };
        });
      } finally {
        await Promise.all(engines.map((engine) => engine.close()));
      }
    },
  }));
}

/** The kernel of the other process, which continues when the first one closes. */
class OtherHost implements EngineHost {
  readonly call: EngineHost['call'];
  readonly toolOf: EngineHost['toolOf'];
  readonly toolNames: EngineHost['toolNames'];
  readonly effectOf: EngineHost['effectOf'];
  readonly stateOf: EngineHost['stateOf'];
  readonly closing = new AbortController().signal;

  constructor({ call, toolOf, toolNames, effectOf, stateOf }: EngineHost) {
    this.call = call;
    this.toolOf = toolOf;
    this.toolNames = toolNames;
    this.effectOf = effectOf;
    this.stateOf = stateOf;
  }
}
