import {
  after,
  type CallContext,
  type CutOutput,
  checkValue,
  type ExecutionResult,
  isLarge,
  type JsonValue,
  LongWork,
  type MaybePromise,
  type Tool,
  ToolkitError,
} from '../../kernel/index.ts';
import { structuredOutput } from '../shared/exposure/tool-output.ts';
import { JsonSizes } from '../shared/output-room/json-size.ts';
import { compactJson } from '../shared/text/compact-json.ts';
import { type Budget, outputRoom } from './budget.ts';
import { continuationNote } from './continuation-note.ts';
import type { Continuation } from './continues.ts';
import { type CutValue, cutToFit } from './cut/cut-to-fit.ts';
import { findMissing } from './find-missing.ts';
import { withTrue } from './members.ts';
import { cutNote, getOutputName, linkTo, type StorageResult } from './notes.ts';
import { divideIntoPages, endOfPage, pageUri, type Section, type Slice } from './pages.ts';
import { otherParts, shownText } from './shown-text.ts';
import type { StoredOutput } from './stored-outputs.ts';

type ShownResult = Pick<ExecutionResult, 'output' | 'content' | 'structured'>;

/** The parts of a result that are over the budget: its text, and its data. */
interface Excess {
  readonly text?: string;
  readonly data?: unknown;
}

/** A call whose result is shortened. */
interface Shortening {
  readonly result: ExecutionResult;
  readonly context: CallContext;
  readonly budget: Budget;
  readonly continuations: readonly Continuation[];
}

/**
 * Returns a result shortened to the budget for a model; undefined where it fits. The rest is stored. Throws OUTPUT_TOO_LARGE
 * where no part of the data fits.
 */
export function shorten(
  result: ExecutionResult,
  context: CallContext,
  budget: Budget,
  continuations: readonly Continuation[],
): MaybePromise<ExecutionResult | undefined> {
  const { output, content, structured } = result;
  const given: ShownResult = { output, ...(content === undefined ? {} : { content }), ...(structured === undefined ? {} : { structured }) };
  if (!isOver(excessOf(given, context.tool, budget))) return undefined;
  // Masked before it is cut: half a secret would not be recognised.
  return after(context.maskInSlices(given), (masked) => {
    const excess = excessOf(masked, context.tool, budget);
    if (!isOver(excess)) return undefined;
    // The next step visits all members of a large object in one go.
    const rested = isLarge(masked.output) ? new LongWork().yieldToEventLoop() : undefined;
    return after(rested, () => shortenMasked({ result, context, budget, continuations }, masked, excess));
  });
}

/** True for a result of which a model gets only a part. */
export function isTooLong(result: ExecutionResult, tool: Tool, budget: Budget): boolean {
  return isOver(excessOf(result, tool, budget));
}

function isOver({ text, data }: Excess): boolean {
  return text !== undefined || data !== undefined;
}

function excessOf({ output, content, structured }: ShownResult, tool: Tool, { maxCharacters }: Budget): Excess {
  if (content === undefined) {
    if (typeof output !== 'string') return isLonger(output, maxCharacters) ? { data: output } : {};
    return output.length > maxCharacters ? { text: output } : {};
  }
  const text = shownText(content);
  const data = structuredOutput(tool, output);
  const isLong = data !== undefined && isLonger(data, maxCharacters) && !isFittingPart(structured, tool, maxCharacters);
  const noteCharacters = maxCharacters - outputRoom({ maxCharacters });
  return { ...(text.length > maxCharacters - (isLong ? noteCharacters : 0) ? { text } : {}), ...(isLong ? { data } : {}) };
}

/** True when the cut output of a called tool, which this tool passes on, also fits the schema of this tool. */
function isFittingPart(structured: CutOutput | undefined, { outputSchema }: Tool, maxCharacters: number): boolean {
  if (structured === undefined || outputSchema === undefined || isLonger(structured.output, maxCharacters)) return false;
  return checkValue(outputSchema, structured.output).length === 0;
}

function isLonger(data: unknown, characters: number): boolean {
  return new JsonSizes().measure(data, characters) > characters;
}

function shortenMasked(call: Shortening, masked: ShownResult, { text, data }: Excess): MaybePromise<ExecutionResult> {
  const { budget, context } = call;
  if (data === undefined) return shortenText(call, masked, text ?? '');
  const { outputSchema = {} } = context.tool;
  const cut = cutToFit(outputSchema, data, outputRoom(budget));
  if (cut !== undefined) {
    const part = withContinuationFlags(cut, call, outputSchema);
    return after(findMissing(data, part.output), (rest) =>
      after(compactJson(data as JsonValue), (json) => shortenData(call, masked, { text, part, rest, json })),
    );
  }
  return after(compactJson(data as JsonValue), (json) => {
    if (structuredOutput(context.tool, data) === undefined) return shortenText(call, masked, json);
    throw tooLargeError(call, json);
  });
}

/** Returns the part with the members set that say that more follows. */
function withContinuationFlags(cut: CutValue, { continuations }: Shortening, schema: Readonly<Record<string, unknown>>): CutValue {
  const named = continuations.flatMap(({ when }) => when ?? []);
  const output = named.reduce<unknown>(withTrue, cut.output) as JsonValue;
  return checkValue(schema, output).length === 0 ? { ...cut, output } : cut;
}

/** Shows the first page of a text. */
function shortenText(call: Shortening, { content }: ShownResult, text: string): ExecutionResult {
  const { sections, first, shown } = firstPage(text, call.budget);
  const stored = storeOutput(call, sections, first, undefined);
  const { result, note, link, meta } = describeCut(call, stored, text.length, []);
  const structured: CutOutput = { output: shown, pointers: [''], ...link };
  return {
    ...result,
    ...(content === undefined ? { structured } : {}),
    content: [
      { type: 'text', text: note },
      { type: 'text', text: shown },
      ...linkTo(stored.output, stored.storage),
      ...otherParts(content),
    ],
    meta,
  };
}

function firstPage(
  text: string,
  budget: Budget,
): { readonly sections: readonly Section[]; readonly first: readonly Slice[]; readonly shown: string } {
  const end = endOfPage(text, 0, outputRoom(budget));
  return {
    sections: [{ at: '', kind: 'text', text, shown: end }],
    first: [{ section: 0, start: 0, end }],
    shown: text.slice(0, end),
  };
}

interface CutData {
  /** Set when the text is too long as well. */
  readonly text: string | undefined;
  readonly part: CutValue;
  readonly rest: readonly Section[];
  readonly json: string;
}

/** Sends and shows a part of the data that fits the schema. */
function shortenData(call: Shortening, { content = [] }: ShownResult, { text, part, rest, json }: CutData): ExecutionResult {
  const shown = JSON.stringify(part.output);
  const ownText = text === undefined ? undefined : firstPage(text, call.budget);
  const sections: readonly Section[] = [...(ownText?.sections ?? [{ at: '', kind: 'shown', text: shown, shown: 0 } as const]), ...rest];
  const first = ownText?.first ?? [{ section: 0, start: 0, end: shown.length }];
  const stored = storeOutput(call, sections, first, json);
  const { result, note, link, meta } = describeCut(call, stored, json.length, part.pointers);
  const parts = call.result.content === undefined ? [{ type: 'text' as const, text: shown }] : content;
  return {
    ...result,
    structured: { output: part.output, ...firstPointers(part.pointers), ...link },
    content: [
      { type: 'text', text: note },
      ...(ownText === undefined ? parts : [{ type: 'text' as const, text: ownText.shown }]),
      ...linkTo(stored.output, stored.storage),
      ...(ownText === undefined ? [] : otherParts(content)),
    ],
    meta,
  };
}

interface StorageAttempt {
  readonly output: StoredOutput;
  readonly storage: StorageResult;
}

function storeOutput(
  { context, budget }: Shortening,
  sections: readonly Section[],
  first: readonly Slice[] | undefined,
  json: string | undefined,
): StorageAttempt {
  const { maxBytes, retentionMs } = budget;
  const { callId, caller, tenant, tool } = context;
  // The answer of the tool that shows a page has other members around it.
  const paged = divideIntoPages(sections, first, outputRoom(budget) - Math.min(300, Math.floor(outputRoom(budget) / 4)));
  const output: StoredOutput = { caller, tool: tool.name, ...(json === undefined ? {} : { json }), ...paged };
  return { output, storage: budget.storedOutputs.store(tenant, callId, output) ? { callId, retentionMs } : { maxBytes } };
}

interface NoteParts {
  readonly result: ExecutionResult;
  readonly note: string;
  readonly link: { readonly uri?: string };
  readonly meta: Readonly<Record<string, unknown>>;
}

function describeCut(call: Shortening, { output, storage }: StorageAttempt, characters: number, pointers: readonly string[]): NoteParts {
  const { result, context, continuations } = call;
  const link = 'callId' in storage ? { uri: pageUri(storage.callId, 1) } : {};
  const note = cutNote({
    output,
    characters,
    storage,
    isShown: true,
    canGet: canGet(context),
    pointers,
    // Without `when`, the members that continue are a cursor of the service.
    hasCursor: continuations.some(({ by, when }) => by === 'offset' || when === undefined),
    continuation: continuationNote(context.tool.name, result.output, continuations),
    cheaper: continuations.find((one) => one.cheaper !== undefined)?.cheaper,
  });
  return { result, note, link, meta: { ...result.meta, outputBudget: { characters, pages: output.pages.length, ...link } } };
}

/** True when the caller may call toolkit_get_output. A host may exclude it by name. */
function canGet({ tools }: CallContext): boolean {
  try {
    return tools.get(getOutputName).name === getOutputName;
  } catch {
    return false;
  }
}

function tooLargeError(call: Shortening, json: string): ToolkitError {
  const { tool } = call.context;
  const { output, storage: whole } = storeOutput(call, [{ at: '', kind: 'text', text: json, shown: 0 }], undefined, undefined);
  const where = cutNote({
    output,
    characters: json.length,
    storage: whole,
    isShown: false,
    canGet: canGet(call.context),
    hasCursor: false,
  });
  return new ToolkitError(
    'OUTPUT_TOO_LARGE',
    `"${tool.name}" has run, but no part of its output that fits its output_schema has at most ${outputRoom(call.budget)} characters. ${where}`,
    { tool: tool.name, ...('callId' in whole ? { uri: pageUri(whole.callId, 1) } : {}) },
  );
}

/** Limits of pointers that are named: member names can be long, and pointers many. */
const maxNamedPointers = { count: 50, characters: 2000 };

function firstPointers(all: readonly string[]): Pick<CutOutput, 'pointers' | 'morePointers'> {
  let characters = 0;
  const first = all.slice(0, maxNamedPointers.count).filter((pointer) => {
    characters += pointer.length;
    return characters <= maxNamedPointers.characters;
  });
  return { pointers: first, ...(first.length < all.length ? { morePointers: all.length - first.length } : {}) };
}
