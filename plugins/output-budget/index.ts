import Type from 'typebox';
import {
  after,
  apiVersion,
  type CallContext,
  definePlugin,
  type ExecutionResult,
  isLarge,
  type JsonValue,
  type MaybePromise,
  type Tool,
} from '../../kernel/index.ts';
import { build } from '../shared/project/build.ts';
import { compactJson } from '../shared/text/compact-json.ts';
import { type Budget, outputRoom } from './budget.ts';
import { checkContinues } from './check-continues.ts';
import { continuationNote } from './continuation-note.ts';
import { type Continuation, ContinuesSchema } from './continues.ts';
import { addGetOutput } from './get-output/get-output.ts';
import { type FindOutput, pageTemplate } from './page-template.ts';
import type { SharedOutputs } from './shared-outputs.ts';
import { isTooLong, shorten } from './shorten.ts';
import { StoredOutputs } from './stored-outputs.ts';

/** Runs after every check and every other change. */
const lastStage = 1000;

/**
 * Limits the results that a model is shown. Tools know the space for their output (`context.output.budget`), and a tool that
 * can continue elsewhere stops by itself: `continues: {by: offset, …}`. If an output is longer than `maxCharacters` all the
 * same, a model is shown a part that fits the same schema: texts and lists lose their ends, objects lose optional members, and
 * large values are cut first. Of a text it is the first page. The text of the answer is the JSON of the data, and a note in
 * front of it names the calls that continue it: calls of the tool itself, or of `toolkit_get_output`, which reads the stored
 * output. `meta.outputBudget` says what was done: `{characters, pages, uri}`, without `uri` where the output was too large to
 * store. Where no part of an output fits its schema, the call fails with OUTPUT_TOO_LARGE, which says where the whole output
 * is.
 *
 * Outputs are stored in memory, for the same caller only, with secrets masked. The first page is the part that was shown, and
 * the others continue it. Clients also read them as resources (`output://<callId>/2`), other plugins by
 * `plugins/shared/stored-outputs/read-stored-output.ts`.
 *
 * If a plugin stores the state of several processes, such as `store-postgres`, the same caller can read the pages through each
 * of them; an output that is larger than a value of the store, only through the process that ran the call. `maxBytes` applies
 * to each process; in the store, outputs have no such limit and expire after `retentionMs`. While the store cannot be reached, each
 * process has only its own pages.
 *
 * Only calls by a model are shortened, and only the result that is shown and sent: `output` stays whole, for host code and trails.
 */
export const outputBudget = definePlugin({
  name: 'output-budget',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Limit of the text that is shown at once, and of the JSON that is sent as data, in UTF-16 units. @default 60000 */
      maxCharacters: Type.Optional(Type.Integer({ minimum: 1000 })),
      /**
       * Limit of all stored texts, at two bytes a character. Over it, the tenant with most loses the output that was not read for
       * longest. @default 67108864
       */
      maxBytes: Type.Optional(Type.Integer({ minimum: 1 })),
      /** Time that an output is stored, in milliseconds. @default 900000 */
      retentionMs: Type.Optional(Type.Integer({ minimum: 1, mistaken_names: ['keepMs'] })),
    },
    { additionalProperties: false },
  ),
  apply({ hooks, extend, state, logger }, { maxCharacters = 60_000, maxBytes = 64 * 1024 * 1024, retentionMs = 15 * 60_000 }) {
    const storedOutputs = new StoredOutputs({ maxBytes, retentionMs });
    const budget: Budget = { maxCharacters, maxBytes, retentionMs, storedOutputs };
    extend.outputBudget(outputRoom(budget));
    const continues = extend.definitionKey('continues', ContinuesSchema, { check: checkContinues, fingerprint: build });
    let loading: Promise<SharedOutputs> | undefined;
    const shared = (): Promise<SharedOutputs> => {
      loading ??= import('./shared-outputs.ts').then((module) => new module.SharedOutputs(storedOutputs, state, logger));
      return loading;
    };
    const shortenForAll = async (
      result: ExecutionResult,
      context: CallContext,
      continuations: readonly Continuation[],
    ): Promise<ExecutionResult | undefined> => {
      try {
        return await shorten(result, context, budget, continuations);
      } finally {
        // An error also says where the whole output is.
        const own = storedOutputs.get(context.callId, context.caller);
        if (own !== undefined) await (await shared()).share(context.tenant, context.callId, own, retentionMs);
      }
    };
    // The continuations of each tool. A reload makes new Tool objects.
    const known = new WeakMap<Tool, readonly Continuation[]>();
    const continuationsOf = (tool: Tool): readonly Continuation[] => {
      const all = known.get(tool) ?? [continues.of(tool) ?? []].flat();
      known.set(tool, all);
      return all;
    };
    hooks.validateOutput.tapPromise({ name: 'output-budget', stage: lastStage }, (result, context) => {
      if (context.origin !== 'model') return undefined;
      const continuations = continuationsOf(context.tool);
      if (continuations.length === 0 && isSurelyShort(result, maxCharacters)) return undefined;
      const isShared = state.isShared && isTooLong(result, context.tool, budget);
      const cut = isShared ? shortenForAll(result, context, continuations) : shorten(result, context, budget, continuations);
      return continuations.length === 0 ? cut : after(cut, (shortened) => shortened ?? withNote(result, context, continuations));
    });
    const find: FindOutput = (callId, caller) =>
      state.isShared ? shared().then((all) => all.get(callId, caller)) : storedOutputs.get(callId, caller);
    hooks.discover.tap('output-budget', (sink) => {
      sink.addResourceTemplate(pageTemplate(find));
      addGetOutput(sink, find);
    });
    hooks.dispose.tap('output-budget', () => storedOutputs.clear());
  },
});

/** True for most results, which need no further check. */
function isSurelyShort({ output, content }: ExecutionResult, maxCharacters: number): boolean {
  if (content !== undefined || isLarge(output)) return false;
  return (typeof output === 'string' ? output : JSON.stringify(output)).length <= maxCharacters;
}

/** Adds a note in front of an output that has stopped by itself, which says how to continue. */
function withNote(
  result: ExecutionResult,
  { tool }: CallContext,
  continuations: readonly Continuation[],
): MaybePromise<ExecutionResult | undefined> {
  const note = continuationNote(tool.name, result.output, continuations);
  if (note === undefined) return undefined;
  return after(result.content === undefined ? compactJson(result.output as JsonValue) : '', (text) => ({
    ...result,
    content: [{ type: 'text', text: note }, ...(result.content ?? [{ type: 'text' as const, text }])],
  }));
}
