import Type from 'typebox';
import {
  after,
  apiVersion,
  type CallContext,
  definePlugin,
  type ExecutionResult,
  isLarge,
  type JsonValue,
  type Maybe,
  type Tool,
} from '../../kernel/index.ts';
import { build } from '../shared/project/build.ts';
import { compactJson } from '../shared/text/compact-json.ts';
import { type Budget, roomOf } from './budget.ts';
import { checkContinues } from './check-continues.ts';
import { type Continuation, ContinuesSchema } from './continues.ts';
import { addGetOutput } from './get-output/get-output.ts';
import { goingOnNote } from './going-on.ts';
import { KeptOutputs } from './kept-outputs.ts';
import { type FindOutput, pageTemplate } from './page-template.ts';
import type { SharedOutputs } from './shared-outputs.ts';
import { isTooLong, shorten } from './shorten.ts';

/** After every check and every other change. */
const last = 1000;

/**
 * Keeps long results from filling the context of a model. Tools know the room for their output (`context.output.budget`), and one that can go on elsewhere
 * stops by itself: `continues: {by: offset, …}`. Where an output is longer than `maxCharacters` all the same, a model is shown as much of it as fits the
 * same schema: texts and lists without their ends, objects without members that need not be there, what is large first. Of a text it is the first page. The
 * text of the answer is the JSON of what is sent as data, and a note stands in front of it that names the calls which go on: those of the tool itself, or
 * `toolkit_get_output`, which reads what was kept. `meta.outputBudget` says what was done: `{characters, pages, uri}`, without `uri` where the output was too
 * large to be kept. Where no part of an output fits its schema, the call fails with OUTPUT_TOO_LARGE, which says where the whole is.
 *
 * Outputs are kept in memory, for the same caller only, with secrets masked. The first page is what was shown, and the others go on where it ends. Clients
 * read them as resources as well (`output://<callId>/2`), other plugins by `plugins/shared/kept-outputs/read-stored-output.ts`.
 *
 * Where a plugin keeps the state of several processes, such as `store-postgres`, the pages can be read through each of them, by the same
 * caller; an output that is larger than a value of the store only where its call ran. `maxBytes` is of each process: in the store they take what
 * all calls of `keepMs` need. While it cannot be reached, pages are those of each process.
 *
 * Only calls that come from a model are shortened, and only what they are shown and sent: `output` stays whole, for host code and trails.
 */
export const outputBudget = definePlugin({
  name: 'output-budget',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Longest text that is shown at once, and longest JSON that is sent as data, in UTF-16 units. @default 60000 */
      maxCharacters: Type.Optional(Type.Integer({ minimum: 1000 })),
      /** What all kept texts may take, at two bytes a character. The tenant who has most gives way, with the one not read for longest. @default 67108864 */
      maxBytes: Type.Optional(Type.Integer({ minimum: 1 })),
      /** How long a text is kept, in milliseconds. @default 900000 */
      keepMs: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    { additionalProperties: false },
  ),
  apply({ hooks, extend, state, logger }, { maxCharacters = 60_000, maxBytes = 64 * 1024 * 1024, keepMs = 15 * 60_000 }) {
    const kept = new KeptOutputs({ maxBytes, keepMs });
    const budget: Budget = { maxCharacters, maxBytes, keepMs, kept };
    extend.outputBudget(roomOf(budget));
    const continues = extend.definitionKey('continues', ContinuesSchema, { check: checkContinues, fingerprint: build });
    let loading: Promise<SharedOutputs> | undefined;
    const shared = (): Promise<SharedOutputs> => {
      loading ??= import('./shared-outputs.ts').then((module) => new module.SharedOutputs(kept, state, logger));
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
        // An error says too where the whole is.
        const own = kept.get(context.callId, context.caller);
        if (own !== undefined) await (await shared()).share(context.tenant, context.callId, own, keepMs);
      }
    };
    // Of each tool once: a reload makes new ones.
    const known = new WeakMap<Tool, readonly Continuation[]>();
    const continuationsOf = (tool: Tool): readonly Continuation[] => {
      const all = known.get(tool) ?? [continues.of(tool) ?? []].flat();
      known.set(tool, all);
      return all;
    };
    hooks.validateOutput.tapPromise({ name: 'output-budget', stage: last }, (result, context) => {
      if (context.origin !== 'model') return undefined;
      const continuations = continuationsOf(context.tool);
      if (continuations.length === 0 && isSurelyShort(result, maxCharacters)) return undefined;
      const isShared = state.isShared && isTooLong(result, context.tool, budget);
      const cut = isShared ? shortenForAll(result, context, continuations) : shorten(result, context, budget, continuations);
      return continuations.length === 0 ? cut : after(cut, (given) => given ?? withNote(result, context, continuations));
    });
    const find: FindOutput = (callId, caller) =>
      state.isShared ? shared().then((all) => all.get(callId, caller)) : kept.get(callId, caller);
    hooks.discover.tap('output-budget', (sink) => {
      sink.addResourceTemplate(pageTemplate(find));
      addGetOutput(sink, find);
    });
    hooks.dispose.tap('output-budget', () => kept.clear());
  },
});

/** Most results: nothing else is asked about them. */
function isSurelyShort({ output, content }: ExecutionResult, maxCharacters: number): boolean {
  if (content !== undefined || isLarge(output)) return false;
  return (typeof output === 'string' ? output : JSON.stringify(output)).length <= maxCharacters;
}

/** In front of an output that has stopped by itself stands how to go on. */
function withNote(
  result: ExecutionResult,
  { tool }: CallContext,
  continuations: readonly Continuation[],
): Maybe<ExecutionResult | undefined> {
  const note = goingOnNote(tool.name, result.output, continuations);
  if (note === undefined) return undefined;
  return after(result.content === undefined ? compactJson(result.output as JsonValue) : '', (text) => ({
    ...result,
    content: [{ type: 'text', text: note }, ...(result.content ?? [{ type: 'text' as const, text }])],
  }));
}
