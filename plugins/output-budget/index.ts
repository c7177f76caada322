import Type from 'typebox';
import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { KeptTexts } from './kept-texts.ts';
import { pageTemplate } from './page-template.ts';
import { pageEnds, pageUri } from './pages.ts';
import { preview } from './preview.ts';
import { otherParts, shownText } from './shown-text.ts';

/** After every check and every other change. */
const last = 1000;

/** Characters for what is said beside the text. */
const noteCharacters = 300;

/**
 * Keeps long results from filling the context of a model. Where the text that a model would be shown is longer than `maxCharacters`, it
 * is shown the first page, a sentence that says how long the whole is, and a link to `output://<callId>/1`, a resource with the pages of
 * the whole. They are kept in memory, for the same caller only, with secrets masked. Parts that are not text stay as they are, and
 * `meta.outputBudget` says what was done: `{characters, pages, uri}`, without `uri` where the text was too large to be kept.
 *
 * Only calls that come from a model are shortened, and only what they show: `output` stays whole, for `output_schema` and for host code.
 * So MCP still sends all of it as `structuredContent` for a tool with an `output_schema` of type object, as the protocol demands (Tools,
 * Output Schema); whether a model sees that or the shortened text is for its client to say. A tool whose results may be long is better
 * off without `output_schema`, or with pages of its own.
 */
export const outputBudget = definePlugin({
  name: 'output-budget',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Longest text that is shown at once, in UTF-16 units. @default 60000 */
      maxCharacters: Type.Optional(Type.Integer({ minimum: 1000 })),
      /** What all kept texts may take, at two bytes a character. The tenant who has most gives way, with the one not read for longest. @default 67108864 */
      maxBytes: Type.Optional(Type.Integer({ minimum: 1 })),
      /** How long a text is kept, in milliseconds. @default 900000 */
      keepMs: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    { additionalProperties: false },
  ),
  apply({ hooks }, { maxCharacters = 60_000, maxBytes = 64 * 1024 * 1024, keepMs = 15 * 60_000 }) {
    const texts = new KeptTexts({ maxBytes, keepMs });
    hooks.validateOutput.tap({ name: 'output-budget', stage: last }, (result, { callId, caller, tenant, origin, tool, mask }) => {
      if (origin !== 'model' || shownText(result).length <= maxCharacters) return undefined;
      // Masked before it is cut: half a secret is not recognised afterwards.
      const { output, content } = mask({ output: result.output, content: result.content });
      const text = shownText({ output, ...(content === undefined ? {} : { content }) });
      if (text.length <= maxCharacters) return undefined;
      const kept = { caller, tool: tool.name, text, ends: pageEnds(text, maxCharacters - noteCharacters) };
      const isKept = texts.keep(tenant, callId, kept);
      return {
        ...result,
        content: [...preview(kept, isKept ? { callId, keepMs } : { maxBytes }), ...otherParts(content)],
        meta: {
          ...result.meta,
          outputBudget: { characters: text.length, pages: kept.ends.length, ...(isKept ? { uri: pageUri(callId, 1) } : {}) },
        },
      };
    });
    hooks.discover.tap('output-budget', (sink) => sink.addResourceTemplate(pageTemplate((callId, caller) => texts.get(callId, caller))));
    hooks.dispose.tap('output-budget', () => texts.clear());
  },
});
