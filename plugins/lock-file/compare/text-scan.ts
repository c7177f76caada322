import type { Kernel } from '../../../kernel/index.ts';
import { findingText } from '../../shared/scanner/review/finding-text.ts';
import { scanItems } from '../../shared/scanner/scan-items.ts';
import type { ScannedItem } from '../../shared/scanner/scanned-item.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { keyOfItem } from '../items/lock-item.ts';
import type { Difference } from './compare.ts';
import type { LockFinding, Scan } from './finding.ts';

/** The rules of this scan begin so. */
const prefix = 'text-';

/**
 * Returns the scan of new and changed tools and skills for texts that look like orders to a model. A person has accepted what the lock has as it is.
 * The tools of a project may refer to each other: all are one source.
 */
export function textScan({ registry: { tools } }: Pick<Kernel, 'registry'>, differences: readonly Difference[]): Scan {
  const differing = new Set(differences.filter(({ change }) => change !== 'removed').map(keyOfItem));
  return (items) => {
    const scanned = items
      .filter((item) => item.section !== 'plugins' && differing.has(keyOfItem(item)))
      .map(({ section, name, definition }): ScannedItem => {
        return { type: section === 'skills' ? 'skill' : 'tool', name, source: 'project', value: definition() };
      });
    if (scanned.length === 0) return [];
    const known = new Set(scanned.map(({ name }) => name));
    const peers = [...tools.values()]
      .filter(({ name }) => !known.has(name))
      .map(({ name, description }): ScannedItem => ({ type: 'tool', name, source: 'project', value: { description } }));
    const { findings, hardNames } = scanItems(scanned, { peers });
    const shown = new Set(findings.map(({ name }) => name));
    return [
      ...findings.map((finding): LockFinding => {
        const rule = `${prefix}${finding.kind.replaceAll(' ', '-')}`;
        return { rule, names: [finding.name], message: findingText(finding), isHard: finding.severity === 'hard' };
      }),
      ...hardNames
        .filter((name) => !shown.has(name))
        .map((name): LockFinding => {
          const message = `texts of "${terminalText(name)}" look like orders to a model: there are too many findings to show them`;
          return { rule: `${prefix}more`, names: [name], message, isHard: true };
        }),
    ];
  };
}

/** Returns the names of items that may not be taken over, unless the operator has named them. */
export function blockedNames(findings: readonly LockFinding[], accepted: ReadonlySet<string>): ReadonlySet<string> {
  const hard = findings.filter(({ rule, isHard }) => isHard && rule.startsWith(prefix));
  return new Set(hard.flatMap(({ names }) => names).filter((name) => !accepted.has(name)));
}

/** Returns a sentence that says what to do about blocked items. */
export function blockedAdvice(blocked: ReadonlySet<string>): string {
  const names = [...blocked].map((name) => terminalText(name));
  const shown = `${names.slice(0, 10).join(', ')}${names.length > 10 ? ` and ${names.length - 10} more` : ''}`;
  return `texts of ${shown} look like orders to a model. Read the passages above. If you trust them all the same, name each: --accept-finding ${names[0]}`;
}
