import { pointerSegments } from '../../../kernel/index.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** Calls a tool as a model does, and gives everything that it is shown as text. */
export type Call = (tool: string, parameters: Parameters) => Promise<string>;

/** One call of those that an answer has led to, and its output, whole again. */
export interface Followed {
  readonly tool: string;
  readonly parameters: Parameters;
  readonly output: unknown;
}

interface Part {
  readonly at: string;
  readonly text: string;
}

/** More calls than any input here needs. */
const maxCalls = 300;

/**
 * Calls a tool, and then what the notes in front of its answers say, until none says that more follows. What an answer has no room for is read and put
 * where it belongs, before anything else is followed.
 */
export async function follow(call: Call, tool: string, parameters: Parameters): Promise<readonly Followed[]> {
  const followed: Followed[] = [];
  const waiting = [{ tool, parameters }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (followed.length > maxCalls) throw new Error(`${tool} goes on for ever: ${JSON.stringify(next)}`);
    const { note = '', output } = answerIn(await call(next.tool, next.parameters));
    const rest = /^The output of .* Go on with toolkit_get_output (\{.*?\})/.exec(note)?.[1];
    const whole = rest === undefined ? output : restored(output, await restOf(call, JSON.parse(rest) as Parameters));
    followed.push({ ...next, output: whole });
    waiting.push(...callsIn(note, next));
  }
  return followed;
}

/** The note in front of an answer, and its data. */
export function answerIn(shown: string): { readonly note?: string; readonly output: unknown } {
  const [first = '', second = ''] = shown.split('\n\n');
  const hasNote = /^(The output of "|More follows\.)/.test(first);
  const json = hasNote ? second : first;
  try {
    return { ...(hasNote ? { note: first } : {}), output: JSON.parse(json) };
  } catch {
    throw new Error(`expected JSON, received ${shown.slice(0, 500)}`);
  }
}

/** The calls that a note names: `fs_read_file again, with {"offset":7} and all else as before`, `fs_read_file {"path":"a","offset":7}`. */
function callsIn(note: string, { tool, parameters }: { readonly tool: string; readonly parameters: Parameters }) {
  const said = /More follows\. Go on with (.*)$/.exec(note)?.[1] ?? '';
  return [...said.matchAll(/(\w+)( again, with)? (\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})/g)].map(([, name = '', again, json = '']) => {
    const given = JSON.parse(json) as Parameters;
    return { tool: name, parameters: again !== undefined && name === tool ? { ...parameters, ...given } : given };
  });
}

async function restOf(call: Call, first: Parameters): Promise<readonly Part[]> {
  const pages = await follow(call, 'toolkit_get_output', first);
  return pages.flatMap(({ output }) => (output as { readonly parts: readonly Part[] }).parts);
}

/** An output with everything that was not shown, where it belongs. */
function restored(cut: unknown, parts: readonly Part[]): unknown {
  const texts = new Map<string, string>();
  for (const { at, text } of parts) texts.set(at, (texts.get(at) ?? '') + text);
  // What is inside of an item that was shown comes before what the list lacks: neither moves the other.
  return [...texts].reduce((output, [at, text]) => changed(output, pointerSegments(at), (value) => withRest(value, text)), cut);
}

function withRest(value: unknown, text: string): unknown {
  if (typeof value === 'string') return value + text;
  const lines = text.split('\n');
  if (Array.isArray(value)) return [...(value as unknown[]), ...lines.map((line) => JSON.parse(line) as unknown)];
  const members = lines.map((line) => JSON.parse(`{${line}}`) as object);
  return Object.assign({}, value, ...members);
}

function changed(value: unknown, [first, ...rest]: readonly string[], change: (value: unknown) => unknown): unknown {
  if (first === undefined) return change(value);
  if (Array.isArray(value))
    return (value as unknown[]).map((item, index) => (String(index) === first ? changed(item, rest, change) : item));
  const object = value as Readonly<Record<string, unknown>>;
  if (!Object.hasOwn(object, first)) throw new Error(`expected a member "${first}" in ${JSON.stringify(value).slice(0, 200)}`);
  return { ...object, [first]: changed(object[first], rest, change) };
}
