import Type from 'typebox';
import { after, apiVersion, type CallContext, definePlugin, type ExecutionResult, type Maybe } from '../../kernel/index.ts';
import { build } from '../shared/project/build.ts';
import { checkContinues } from './check-continues.ts';
import { ContinuesSchema } from './continues.ts';
import { type KeptText, KeptTexts } from './kept-texts.ts';
import { pageTemplate } from './page-template.ts';
import type { SharedTexts } from './shared-texts.ts';
import { shorten } from './shorten.ts';
import { shownText } from './shown-text.ts';

/** After every check and every other change. */
const last = 1000;

/**
 * Keeps long results from filling the context of a model. Where the text that a model would be shown is longer than `maxCharacters`, it
 * is shown the first page, a sentence that says how long the whole is, and a link to `output://<callId>/1`, a resource with the pages of
 * the whole. They are kept in memory, for the same caller only, with secrets masked. Parts that are not text stay as they are, and
 * `meta.outputBudget` says what was done: `{characters, pages, uri}`, without `uri` where the text was too large to be kept.
 *
 * An output that is sent as data as well (`structuredContent` of MCP, for a tool with an `output_schema` of type object) and is longer than
 * that as JSON gets a part beside it, `structured`, that fits the same schema: texts and lists without their ends, objects without members
 * that need not be there, what is large first. It fits the whole `output_schema` and not only the compact one of a list, because a
 * client may have been shown either. Where no part of an output fits, the call fails with OUTPUT_TOO_LARGE, which says where the whole is.
 *
 * Where a plugin keeps the state of several processes, such as `store-postgres`, the pages can be read through each of them, by the same
 * caller; a text that is larger than a value of the store only where its call ran. `maxBytes` is of each process: in the store they take what
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
    const texts = new KeptTexts({ maxBytes, keepMs });
    const budget = { maxCharacters, maxBytes, keepMs, texts };
    extend.outputBudget(roomOf(maxCharacters));
    extend.definitionKey('continues', ContinuesSchema, { check: checkContinues, fingerprint: build });
    let loading: Promise<SharedTexts> | undefined;
    const shared = (): Promise<SharedTexts> => {
      loading ??= import('./shared-texts.ts').then((module) => new module.SharedTexts(texts, state, logger));
      return loading;
    };
    const shortenForAll = async (result: ExecutionResult, text: string, context: CallContext): Promise<ExecutionResult | undefined> => {
      try {
        return await shorten(result, text, context, budget);
      } finally {
        // An error says too where the whole is.
        const kept = texts.get(context.callId, context.caller);
        if (kept !== undefined) await (await shared()).share(context.tenant, context.callId, kept, keepMs);
      }
    };
    const check = (result: ExecutionResult, text: string, context: CallContext): Maybe<ExecutionResult | undefined> => {
      // As data an output is no longer than as the text that stands for it.
      if (result.content === undefined && text.length <= maxCharacters) return undefined;
      return state.isShared ? shortenForAll(result, text, context) : shorten(result, text, context, budget);
    };
    hooks.validateOutput.tapPromise({ name: 'output-budget', stage: last }, (result, context) =>
      context.origin === 'model' ? after(shownText(result), (text) => check(result, text, context)) : undefined,
    );
    const find = (callId: string, caller: string): KeptText | undefined | Promise<KeptText | undefined> =>
      state.isShared ? shared().then((all) => all.get(callId, caller)) : texts.get(callId, caller);
    hooks.discover.tap('output-budget', (sink) => sink.addResourceTemplate(pageTemplate(find)));
    hooks.dispose.tap('output-budget', () => texts.clear());
  },
});

/** What is said in front of an output, and what a tool that calls others puts around it, has room beside. */
function roomOf(maxCharacters: number): number {
  return maxCharacters - Math.min(1000, Math.floor(maxCharacters / 4));
}
