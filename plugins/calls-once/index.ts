import { hash } from 'node:crypto';
import Type from 'typebox';
import { apiVersion, type Call, definePlugin, type TapOptions } from '../../kernel/index.ts';
import { build } from '../shared/project/build.ts';
import { ProcessHeartbeat } from '../shared/state/process-heartbeat.ts';
import { hasEffect } from './effect.ts';
import { Intents } from './intent.ts';
import { OnceCalls } from './once-calls.ts';
import { Outcomes } from './outcomes.ts';
import { Verifier } from './verifier.ts';
import { VerifySchema } from './verify.ts';

/** The last moment before the executor: what another plugin answers or refuses has no effect. */
const last = 2000;

/** Before plugins that may hang: others wait for how a call ended. */
const first = -1000;

/**
 * Gives calls that the host names (`once`) one effect: of all calls of a caller with one name, by all processes that share the store, one runs, and the
 * others get its result. Before a call of a tool that may change something an intent is written, after it how it ended. A call whose process
 * died between them is not made again by itself (OUTCOME_UNKNOWN), unless that is safe (an idempotent method, `annotations: { idempotentHint: true }`, or
 * `idempotency`, whose header then follows from the name), or its definition says how to find out (`verify`). So does one that failed in a way
 * that leaves it open, such as a time limit. A call that was refused, here or by the service, may be made again with its name.
 */
export const callsOnce = definePlugin({
  name: 'calls-once',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** How long it is remembered what a call came to, in milliseconds. After that the same name is a new call. @default 604800000: a week */
      keepMs: Type.Optional(Type.Integer({ minimum: 60_000 })),
    },
    { additionalProperties: false },
  ),
  apply({ extend, hooks, logger, state }, { keepMs = 7 * 24 * 60 * 60 * 1000 }) {
    extend.callsOnce();
    const verify = extend.definitionKey('verify', VerifySchema, { fingerprint: build });
    const verifier = new Verifier((tool) => verify.of(tool));
    const intents = new Intents(state, keepMs);
    const outcomes = new Outcomes(intents, logger);
    const calls = new OnceCalls({ intents, outcomes, process: new ProcessHeartbeat(state), verifier });
    const tap = (stage: number): TapOptions => ({ name: 'calls-once', stage, appliesTo: (tool) => hasEffect(tool), onlyOnce: true });

    hooks.beforeExecute.tap(tap(first), (draft) => void calls.prepare(draft));
    hooks.execute.for('*').tapPromise(tap(last), (call, context) => calls.begin(call, idOf(call), context));
    hooks.validateOutput.tap(tap(first), (_result, { callId }) => void calls.executed(callId));
    hooks.settled.tapPromise(tap(first), (end) => calls.settle(end));
    hooks.dispose.tapPromise('calls-once', () => outcomes.close());
  },
});

/** Nobody else's calls have it, whatever they are named. */
function idOf({ caller, once }: Call): string {
  return hash('sha256', JSON.stringify([caller, once]), 'hex');
}
