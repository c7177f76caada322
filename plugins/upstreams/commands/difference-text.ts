import { excerpt } from '../../../kernel/index.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import type { ListDifference } from './compare-lists.ts';

const signs = { new: '+', changed: '~', gone: '-' } as const;

/** Returns differences as lines for a terminal, with the texts before and after. */
export function differenceText(differences: readonly ListDifference[]): string {
  return differences
    .flatMap(({ change, kind, name, members }) => [
      `${signs[change]} ${kind} ${terminalText(excerpt(name, 100))}${change === 'gone' ? ' (no longer offered)' : ''}`,
      ...members.flatMap(({ path, before, after }) => [
        `    ${terminalText(excerpt(path, 100))}`,
        ...(before === undefined ? [] : [`    - ${shown(before)}`]),
        ...(after === undefined ? [] : [`    + ${shown(after)}`]),
      ]),
    ])
    .map((line) => `${line}\n`)
    .join('');
}

function shown(value: unknown): string {
  return terminalText(excerpt(typeof value === 'string' ? value : JSON.stringify(value), 500));
}
