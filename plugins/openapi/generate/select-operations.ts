import { didYouMean } from '../../../kernel/index.ts';
import type { Operation } from '../operations/operation.ts';
import type { DocumentSource, Selection } from '../options.ts';
import { keyOfOperation } from './operation-key.ts';
import { plainText } from './texts.ts';

/** Returns the operations that `include` and `exclude` of a source choose, with a note on each value that matches nothing. */
export function selectOperations(
  operations: readonly Operation[],
  { include, exclude }: Pick<DocumentSource, 'include' | 'exclude'>,
): { readonly selected: readonly Operation[]; readonly notes: readonly string[] } {
  const isIn = include === undefined ? () => true : matcher(include);
  const isOut = exclude === undefined ? () => false : matcher(exclude);
  return {
    selected: operations.filter((operation) => isIn(operation) && !isOut(operation)),
    notes: [...unmatched('include', include, operations), ...unmatched('exclude', exclude, operations)],
  };
}

const valuesOf: { readonly [K in keyof Required<Selection>]: (operation: Operation) => readonly string[] } = {
  tags: ({ tags }) => tags,
  paths: ({ path }) => [path],
  methods: ({ method }) => [method],
  operations: (operation) => [...(operation.operationId === undefined ? [] : [operation.operationId]), keyOfOperation(operation)],
};

function matcher(selection: Selection): (operation: Operation) => boolean {
  const tests = keysOf(selection).flatMap((key) => (selection[key] ?? []).map((written) => ({ key, matches: wildcard(written) })));
  return (operation) => tests.some(({ key, matches }) => valuesOf[key](operation).some(matches));
}

function unmatched(name: string, selection: Selection | undefined, operations: readonly Operation[]): readonly string[] {
  if (selection === undefined) return [];
  return keysOf(selection).flatMap((key) => {
    const values = [...new Set(operations.flatMap((operation) => valuesOf[key](operation)))];
    const missing = (selection[key] ?? []).filter((written) => !values.some(wildcard(written)));
    return missing.map(
      (written) => `"${name}.${key}" names "${plainText(written, 100)}", which matches nothing.${didYouMean(written, values)}`,
    );
  });
}

function keysOf(selection: Selection): readonly (keyof Selection)[] {
  return Object.keys(selection) as (keyof Selection)[];
}

/** Returns a test of a text with `*` for any characters. Linear in time, whatever the text. */
function wildcard(pattern: string): (text: string) => boolean {
  const parts = pattern.split('*');
  if (parts.length === 1) return (text) => text === pattern;
  const [first = '', ...others] = parts;
  const last = others.pop() ?? '';
  return (text) => {
    if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
    let at = first.length;
    for (const part of others) {
      const found = text.indexOf(part, at);
      if (found === -1 || found + part.length > text.length - last.length) return false;
      at = found + part.length;
    }
    return true;
  };
}
