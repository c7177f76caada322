import { type ApprovalDetails, isPlainObject, type ParameterChange, type Reason } from '../../../kernel/index.ts';
import { valueLines } from './shown-lines.ts';

/** Returns the headings and lines of the things that reasons show beside the arguments, such as definitions that become callable. */
export function shownReasons(reasons: readonly Reason[]): readonly (readonly [string, readonly string[]])[] {
  return reasons.flatMap(({ shown = {} }) =>
    Object.entries(shown).map(
      ([name, value]) => [headingOf(name), Array.isArray(value) ? value.flatMap(itemLines) : valueLines(name, value)] as const,
    ),
  );
}

/** Returns a heading for a member: `makesCallable` is `Makes callable`. */
function headingOf(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** Returns the lines of one item: its short members on the first, then each line of its texts after `| `. */
function itemLines(item: unknown): readonly string[] {
  if (!isPlainObject(item)) return JSON.stringify(item, null, 2).split('\n');
  const { text, ...short } = item;
  const head = Object.entries(short).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const lines = typeof text === 'string' ? text.replace(/\n$/, '').split('\n') : [];
  return [
    head.join(', '),
    ...(text === undefined || typeof text === 'string' ? [] : valueLines('text', text)),
    ...lines.map((line) => `  | ${line}`),
  ];
}

/** Returns the lines of the answer of the read request, or of the reason why there is none. */
export function previewLines({ output, failure }: NonNullable<ApprovalDetails['preview']>): readonly string[] {
  if (failure !== undefined) return [`There is none: ${failure}`];
  return typeof output === 'string'
    ? output.split('\n').map((line) => `| ${line}`)
    : (JSON.stringify(output, null, 2) ?? 'none').split('\n');
}

/** Returns the lines of differences between two calls: the path, then `-` with the earlier value and `+` with the present one. */
export function changeLines(changes: readonly ParameterChange[]): readonly string[] {
  if (changes.length === 0) return ['none: the arguments are the same'];
  return changes.flatMap((change) => [
    change.path,
    ...(Object.hasOwn(change, 'from') ? sideLines('-', change.from) : []),
    ...(Object.hasOwn(change, 'to') ? sideLines('+', change.to) : []),
  ]);
}

function sideLines(sign: string, value: unknown): readonly string[] {
  return (JSON.stringify(value, null, 2) ?? 'undefined').split('\n').map((line) => `  ${sign} ${line}`);
}
