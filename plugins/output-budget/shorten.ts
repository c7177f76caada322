import {
  after,
  type CallContext,
  type CutOutput,
  checkValue,
  type ExecutionResult,
  isLarge,
  type JsonValue,
  LongWork,
  type Maybe,
  type Tool,
  ToolkitError,
} from '../../kernel/index.ts';
import { structuredOutput } from '../shared/exposure/structured-output.ts';
import { JsonSizes } from '../shared/output-room/json-size.ts';
import { indentedJson } from '../shared/text/indented-json.ts';
import { cutToFit } from './cut/cut-to-fit.ts';
import type { KeptText, KeptTexts } from './kept-texts.ts';
import { pageEnds, pageUri } from './pages.ts';
import { noteOfCut, preview, type Whole, whereabouts } from './preview.ts';
import { otherParts, shownText } from './shown-text.ts';

/** Characters for what is said beside the text, and for what a tool that calls others puts around their data. */
const noteCharacters = 300;

export interface Budget {
  readonly maxCharacters: number;
  readonly maxBytes: number;
  readonly keepMs: number;
  readonly texts: KeptTexts;
}

type Shown = Pick<ExecutionResult, 'output' | 'content' | 'structured'>;

/** What of a result is over the budget: what is shown as text, and what is sent as data. */
interface Excess {
  readonly text?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * A result of which a model gets no more than the budget; undefined where it is no more. `shown`: the text that it would be shown as. Throws
 * OUTPUT_TOO_LARGE where no part of it fits.
 */
export function shorten(result: ExecutionResult, shown: string, context: CallContext, budget: Budget): Maybe<ExecutionResult | undefined> {
  const { output, content, structured } = result;
  const given: Shown = { output, ...(content === undefined ? {} : { content }), ...(structured === undefined ? {} : { structured }) };
  const unmasked = excessOf(given, shown, context.tool, budget.maxCharacters);
  if (!isOver(unmasked)) return undefined;
  // Masked before it is cut: half a secret is not recognised afterwards.
  return after(context.maskInSlices(given), (masked) => {
    if (masked === given) return shortenMasked({ result, masked }, unmasked, context, budget);
    return after(shownText(masked), (text) =>
      shortenMasked({ result, masked }, excessOf(masked, text, context.tool, budget.maxCharacters), context, budget),
    );
  });
}

interface MaskedResult {
  readonly result: ExecutionResult;
  readonly masked: Shown;
}

function shortenMasked(given: MaskedResult, excess: Excess, context: CallContext, budget: Budget): Maybe<ExecutionResult | undefined> {
  if (!isOver(excess)) return undefined;
  const { masked } = given;
  // The data are in the text that stands for an output without parts to show.
  const data = masked.content === undefined || excess.data === undefined ? undefined : indentedJson(excess.data as JsonValue);
  return after(data, (json) => {
    const text = [excess.text, json].filter((one) => one !== undefined).join('\n\n');
    // What follows looks at all members of a large object, which cannot be divided.
    const rested = isLarge(masked.output) ? new LongWork().rest() : undefined;
    return after(rested, () => partsOf(given, text, excess, context, budget));
  });
}

/** What is shown and sent of a result that is over the budget, of which the whole is kept as text. */
function partsOf({ result, masked }: MaskedResult, text: string, excess: Excess, context: CallContext, budget: Budget): ExecutionResult {
  const { callId, tool } = context;
  const { maxCharacters, maxBytes, keepMs } = budget;
  const { meta } = result;
  const kept: KeptText = { caller: context.caller, tool: tool.name, text, ends: pageEnds(text, maxCharacters - noteCharacters) };
  const whole: Whole = budget.texts.keep(context.tenant, callId, kept) ? { callId, keepMs } : { maxBytes };
  const link = 'callId' in whole ? { uri: pageUri(callId, 1) } : {};
  const own = masked.content ?? [];
  return {
    ...result,
    ...(excess.data === undefined ? {} : { structured: { ...partOf(excess.data, tool, kept, whole, maxCharacters), ...link } }),
    content: excess.text === undefined ? [...own, ...noteOfCut(kept, whole)] : [...preview(kept, whole), ...otherParts(own)],
    meta: { ...meta, outputBudget: { characters: text.length, pages: kept.ends.length, ...link } },
  };
}

function isOver({ text, data }: Excess): boolean {
  return text !== undefined || data !== undefined;
}

function excessOf({ output, structured }: Shown, text: string, tool: Tool, maxCharacters: number): Excess {
  const data = structuredOutput(tool, output);
  const isLong = data !== undefined && isLonger(data, maxCharacters) && !isPart(structured, tool, maxCharacters);
  return {
    ...(text.length > maxCharacters - (isLong ? noteCharacters : 0) ? { text } : {}),
    ...(isLong ? { data } : {}),
  };
}

/** What a tool that calls others passes on was cut for the schema of the called one. */
function isPart(structured: CutOutput | undefined, { outputSchema }: Tool, maxCharacters: number): boolean {
  if (structured === undefined || outputSchema === undefined || isLonger(structured.output, maxCharacters)) return false;
  return checkValue(outputSchema, structured.output).length === 0;
}

function isLonger(data: unknown, characters: number): boolean {
  return new JsonSizes().of(data, characters) > characters;
}

function partOf(
  data: Readonly<Record<string, unknown>>,
  { name, outputSchema = {} }: Tool,
  kept: KeptText,
  whole: Whole,
  maxCharacters: number,
): CutOutput {
  const part = cutToFit(outputSchema, data, maxCharacters - noteCharacters);
  if (part !== undefined) return { output: part.output, ...firstPointers(part.pointers) };
  throw new ToolkitError(
    'OUTPUT_TOO_LARGE',
    `"${name}" has run, but no part of its output that fits its output_schema has at most ${maxCharacters - noteCharacters} characters. ${whereabouts(kept, whole)}`,
    { tool: name, ...('callId' in whole ? { uri: pageUri(whole.callId, 1) } : {}) },
  );
}

/** Names of members can be long, and places many. */
const namedPlaces = { count: 50, characters: 2000 };

function firstPointers(all: readonly string[]): Pick<CutOutput, 'pointers' | 'morePointers'> {
  let characters = 0;
  const first = all.slice(0, namedPlaces.count).filter((pointer) => {
    characters += pointer.length;
    return characters <= namedPlaces.characters;
  });
  return { pointers: first, ...(first.length < all.length ? { morePointers: all.length - first.length } : {}) };
}
