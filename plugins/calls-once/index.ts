import Type from 'typebox';
import { apiVersion, definePlugin, type TapOptions } from '../../kernel/index.ts';
import { movableState } from '../shared/calls/movable-state.ts';
import { build } from '../shared/project/build.ts';
import { hasEffect } from './effect.ts';
import { Intents } from './intent.ts';
import { effectFinder } from './known-effect.ts';
import { OnceCalls } from './once-calls.ts';
import { Outcomes } from './outcomes.ts';
import { Verifier } from './verifier.ts';
import { VerifySchema } from './verify.ts';

/** Stage directly before the executor: a call that another plugin answers or refuses has no effect. */
const directlyBeforeExecutor = 2000;

/** Stage before plugins that may hang: other processes wait for the end of a call. */
const beforeAllPlugins = -1000;

/**
 * Gives calls with a name (`once`, set by the host) one effect. Of all calls of a caller with the same name, in all processes that share the
 * store, one runs, and the others get its result. Before a call of a tool that may change something an intent is written, and afterwards its
 * outcome. When the process dies in between, the call is not run again (OUTCOME_UNKNOWN), unless that is safe (an idempotent method,
 * `annotations: { idempotentHint: true }`, or `idempotency`, whose header is then derived from the name), or unless its definition says how to
 * verify the effect (`verify`). A durable call has its id as name. The same holds for a failure that leaves the effect open, such as a time limit. A refused call, here or by the
 * service, may be made again with its name.
 */
export const callsOnce = definePlugin({
  name: 'calls-once',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Time for which the outcome of a call is stored, in milliseconds. After that the same name is a new call. @default 604800000: a week */
      retentionMs: Type.Optional(Type.Integer({ minimum: 60_000, mistaken_names: ['keepMs'] })),
    },
    { additionalProperties: false },
  ),
  apply({ extend, hooks, logger, state }, { retentionMs = 7 * 24 * 60 * 60 * 1000 }) {
    extend.fact(movableState, {
      what: 'names of effects',
      keysOf: 'calls-once',
      isActedOn: false,
      move: async (from) => (await import('./move-intents.ts')).moveIntents({ from, to: state, ttlMs: retentionMs }),
    });
    const verify = extend.definitionKey('verify', VerifySchema, { fingerprint: build });
    const verifier = new Verifier((tool) => verify.of(tool));
    const intents = new Intents(state, retentionMs);
    const outcomes = new Outcomes(intents, logger);
    const calls = new OnceCalls({ intents, outcomes, process: state.join(), verifier });
    extend.callsOnce(effectFinder({ intents, outcomes, isVerifiable: (tool) => verify.of(tool) !== undefined }));
    const tap = (stage: number): TapOptions => ({ name: 'calls-once', stage, appliesTo: (tool) => hasEffect(tool), onlyOnce: true });

    hooks.beforeExecute.tap(tap(beforeAllPlugins), (draft) => void calls.prepare(draft));
    hooks.execute.for('*').tapPromise(tap(directlyBeforeExecutor), (call, context) => calls.begin(call, context));
    hooks.validateOutput.tap(tap(beforeAllPlugins), (_result, { callId }) => void calls.onExecuted(callId));
    hooks.settled.tapPromise(tap(beforeAllPlugins), (end) => calls.settle(end));
    hooks.dispose.tapPromise('calls-once', () => outcomes.close());
  },
});
