import type { Tool } from '../../kernel/index.ts';
import { nameText } from './shortener.ts';

/** Maximum number of cached outcomes for each origin. */
const maxOutcomes = 100;

/** Names of a call as its record prints them: masked and shortened. */
export interface RecordNames {
  readonly caller: string;
  readonly tool: string;
  readonly provider: string | undefined;
  /** sha256 of the definition, hex. */
  readonly hash: string | undefined;
  readonly risk: string | undefined;
}

/** Parts of a record that all calls of a tool share, as canonical JSON. */
export interface CallTexts {
  readonly caller: string;
  /** `definition_hash`, with a trailing comma. */
  readonly hash: string;
  /** Text from the end of `call_id` to the next member that differs from call to call. */
  readonly afterId: string;
  readonly beforeSeq: string;
  /** Text from the end of `time` to the end of `tool`. */
  readonly tool: string;
  /** `tool`, followed by the verdict `allow` without reasons. */
  readonly allowed: string;
}

/**
 * Caches the last `CallTexts` of each tool: joining many small texts for every record costs more than its hash. An entry is replaced when a
 * name differs, because of another caller or a newly masked secret.
 */
export class CallTextCache {
  readonly #cached = new WeakMap<Tool, { readonly names: RecordNames; readonly texts: CallTexts }>();
  readonly #outcomes = new Map<string, Map<string, string>>();

  get(tool: Tool | undefined, names: RecordNames): CallTexts {
    const last = tool === undefined ? undefined : this.#cached.get(tool);
    if (last !== undefined && isSame(last.names, names)) return last.texts;
    const texts = textsOf(names);
    if (tool !== undefined) this.#cached.set(tool, { names, texts });
    return texts;
  }

  /** Returns the members `origin` and `outcome`, with a trailing comma. Both have few possible values. */
  outcome(origin: string, code: string): string {
    const outcomeTexts = this.#outcomes.get(origin) ?? new Map<string, string>();
    if (outcomeTexts.size === 0) this.#outcomes.set(origin, outcomeTexts);
    const found = outcomeTexts.get(code);
    if (found !== undefined) return found;
    const text = flat(`"origin":"${origin}","outcome":"${code}",`);
    // Bounded: plugins may use any error code.
    if (outcomeTexts.size < maxOutcomes) outcomeTexts.set(code, text);
    return text;
  }
}

function isSame(one: RecordNames, other: RecordNames): boolean {
  return (
    one.caller === other.caller &&
    one.tool === other.tool &&
    one.provider === other.provider &&
    one.hash === other.hash &&
    one.risk === other.risk
  );
}

function textsOf({ caller, tool, provider, hash, risk }: RecordNames): CallTexts {
  const hashText = hash === undefined ? '' : `"definition_hash":"${hash}",`;
  const toolText = `","tool":${nameText(tool)}`;
  return {
    caller: nameText(caller),
    hash: hashText,
    afterId: flat(`","caller":${nameText(caller)},${hashText}`),
    beforeSeq: flat(`${provider === undefined ? '' : `"provider":${nameText(provider)},`}${risk === undefined ? '' : `"risk":"${risk}",`}`),
    tool: flat(toolText),
    allowed: flat(`${toolText},"verdict":{"effect":"allow","reasons":[]}`),
  };
}

/** Returns the text as one flat string. V8 represents joined strings as a tree, and would walk it for each record. */
function flat(text: string): string {
  // Own text: written on the same line
  return Buffer.from(text).toString();
}
