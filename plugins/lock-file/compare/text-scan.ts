import type { Kernel } from '../../../kernel/index.ts';
import { findingText } from '../../shared/scanner/review/finding-text.ts';
import { scanItems } from '../../shared/scanner/scan-items.ts';
import type { ScannedItem } from '../../shared/scanner/scanned-item.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import type { Difference } from './compare.ts';
import type { LockFinding, Scan } from './finding.ts';

/** The rules of this scan begin so. */
const prefix = 'text-';

/**
 * Returns the scan of tools and skills for texts that look like orders to a model. Findings of what the lock has as it is are not hard: a person
 * has accepted it.
 */
export function textScan({ registry: { tools } }: Pick<Kernel, 'registry'>, differences: readonly Difference[]): Scan {
  const differing = new Set(differences.map(({ name }) => name));
  const sourceOf = (name: string): string => tools.get(name)?.origin.package?.name ?? 'project';
  return (items) => {
    const scanned = items
      .filter(({ section }) => section !== 'plugins')
      .map(({ section, name, definition }): ScannedItem => {
        return { type: section === 'skills' ? 'skill' : 'tool', name, source: sourceOf(name), value: definition() };
      });
    const known = new Set(scanned.map(({ name }) => name));
    const peers = [...tools.values()]
      .filter(({ name }) => !known.has(name))
      .map(({ name, description }): ScannedItem => ({ type: 'tool', name, source: 'others', value: { description } }));
    const { findings, hardNames } = scanItems(scanned, { peers });
    const shown = new Set(findings.map(({ name }) => name));
    return [
      ...findings.map(
        (finding): LockFinding => ({
          rule: `${prefix}${finding.kind.replaceAll(' ', '-')}`,
          names: [finding.name],
          message: `${findingText(finding)}${differing.has(finding.name) ? '' : ' (accepted)'}`,
          isHard: finding.severity === 'hard' && differing.has(finding.name),
        }),
      ),
      ...hardNames
        .filter((name) => !shown.has(name) && differing.has(name))
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
