import { readFileSync } from 'node:fs';

type Json = unknown;

/** A line of a recorded exchange: see plugins/host-stdio/README.md. */
export type Step =
  | { readonly title: string; readonly args?: readonly string[] }
  | { readonly send: Readonly<Record<string, Json>> }
  | { readonly sendText: string }
  | { readonly expect: Readonly<Record<string, Json>> }
  | { readonly endInput: true }
  | { readonly exit: number };

export function readExchange(file: string): readonly Step[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Step);
}

const placeholder = /^<(any|absent|text|number|is:[\w-]+|has:[^>]*)>$/s;

/** Values of the placeholders so far. */
export type Bound = Map<string, Json>;

/** Where a message differs from what was expected; undefined where it does not. `bound` gets what the placeholders stand for, where all fits. */
export function difference(expected: Json, received: Json, bound: Bound): string | undefined {
  const found: Bound = new Map(bound);
  const problem = differenceAt('', expected, received, found);
  if (problem === undefined) for (const [name, value] of found) bound.set(name, value);
  return problem;
}

function differenceAt(path: string, expected: Json, received: Json, bound: Bound): string | undefined {
  const wrong = (): string => `${path || 'the message'}: expected ${JSON.stringify(expected)}, received ${JSON.stringify(received)}`;
  const [, name] = typeof expected === 'string' ? (placeholder.exec(expected) ?? []) : [];
  if (name !== undefined) return fits(name, received, bound) ? undefined : wrong();
  if (Array.isArray(expected)) {
    if (!Array.isArray(received) || received.length !== expected.length) return wrong();
    return first(expected.map((item, index) => () => differenceAt(`${path}[${index}]`, item, received[index], bound)));
  }
  if (typeof expected !== 'object' || expected === null) return Object.is(expected, received) ? undefined : wrong();
  if (typeof received !== 'object' || received === null || Array.isArray(received)) return wrong();
  const members = received as Readonly<Record<string, Json>>;
  return first(
    Object.entries(expected).map(
      ([key, value]) =>
        () =>
          differenceAt(`${path}.${key}`, value, members[key], bound),
    ),
  );
}

function fits(name: string, received: Json, bound: Bound): boolean {
  if (name === 'any') return received !== undefined;
  if (name === 'absent') return received === undefined;
  if (name === 'text' || name === 'number') return typeof received === (name === 'text' ? 'string' : name);
  if (name.startsWith('has:')) return typeof received === 'string' && received.includes(name.slice('has:'.length));
  if (bound.has(name)) return Object.is(bound.get(name), received);
  bound.set(name, received);
  return received !== undefined;
}

function first(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const problem = check();
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Replaces placeholders by their values. */
export function filled(value: Json, bound: Bound): Json {
  if (typeof value === 'string') {
    const [, name] = placeholder.exec(value) ?? [];
    return name?.startsWith('is:') === true ? bound.get(name) : value;
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, bound));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filled(member, bound)]));
}

/** The same for a line that is sent as it is. */
export function filledText(text: string, bound: Bound): string {
  return text.replaceAll(/<(is:[\w-]+)>/g, (_, name: string) => JSON.stringify(bound.get(name)));
}
