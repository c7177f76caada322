import { hash } from 'node:crypto';
import type { PendingChange } from '../../../kernel/index.ts';
import { yaml } from '../../shared/definition-files/yaml-library.ts';
import { type DifferenceLine, lineDifference } from '../../shared/text/line-difference.ts';

/** Length of a definition from which it is shown as indented JSON, which is YAML too: the YAML library takes a second for two megabytes. */
const longLength = 100_000;

const known = new WeakMap<PendingChange, Promise<readonly DifferenceLine[]>>();

/** Returns the digest by which a person accepts a change. It covers what the tool uses of its provider, not only the definition that is shown. */
export function digestOfChange({ source, change, kind, name, differs, digest }: PendingChange): string {
  return hash('sha256', JSON.stringify([source, change, kind, name, differs, digest]), 'hex');
}

/**
 * Returns the lines of the difference between the accepted definition and the listed one, with the shared schemas that differ. Each change is compared
 * once: the kernel returns the same object while it is the same change.
 */
export function differenceOf(change: PendingChange): Promise<readonly DifferenceLine[]> {
  const lines = known.get(change) ?? compare(change);
  known.set(change, lines);
  return lines;
}

/** Returns the listed definition; that of a provider without its shared schemas, which are up to 24 MB and are compared where a tool reaches them. */
export function shownDefinition({ kind, definition }: Pick<PendingChange, 'kind' | 'definition'>): PendingChange['definition'] {
  if (kind !== 'provider') return definition;
  const { $defs: _shared, ...facts } = definition;
  return facts;
}

async function compare({ kind, accepted, definition, schemas = {} }: PendingChange): Promise<readonly DifferenceLine[]> {
  const shared = (form: 'accepted' | 'listed'): Readonly<Record<string, unknown>> => {
    const entries = Object.entries(schemas).flatMap(([name, forms]) => (forms[form] === undefined ? [] : [[name, forms[form]] as const]));
    return entries.length === 0 ? {} : { 'shared schemas': Object.fromEntries(entries) };
  };
  const before = accepted === undefined ? undefined : textOf({ ...shownDefinition({ kind, definition: accepted }), ...shared('accepted') });
  return lineDifference(before, textOf({ ...shownDefinition({ kind, definition }), ...shared('listed') }));
}

/** Returns a definition as YAML with sorted members, whose order is no difference. */
function textOf(definition: Readonly<Record<string, unknown>>): string {
  const sorted = sortMembers(definition);
  const json = JSON.stringify(sorted, null, 2);
  return json.length > longLength ? json : yaml().stringify(sorted, { lineWidth: 0, aliasDuplicateObjects: false });
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sortMembers((value as Readonly<Record<string, unknown>>)[name])]));
}
