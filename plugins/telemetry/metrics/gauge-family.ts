import type { Gauge } from '../../../kernel/index.ts';

/** Units of UCUM in base units of Prometheus. */
const baseUnits: Readonly<Record<string, { readonly suffix: string; readonly factor: number }>> = {
  s: { suffix: '_seconds', factor: 1 },
  ms: { suffix: '_seconds', factor: 0.001 },
  By: { suffix: '_bytes', factor: 1 },
};

const totalSuffix = '_total';

/** Returns the name of a gauge's family: `toolkit_approvals_waiting` for `approvals.waiting`, with the base unit, and `_total` for a counter. */
export function familyName({ name, unit, kind }: Pick<Gauge, 'name' | 'unit' | 'kind'>): string {
  const words = `toolkit_${name.replace(/[^A-Za-z0-9]+/g, '_')}`;
  const bare = kind === 'counter' && words.endsWith(totalSuffix) ? words.slice(0, -totalSuffix.length) : words;
  const suffix = Object.hasOwn(baseUnits, unit) ? (baseUnits[unit]?.suffix ?? '') : '';
  const withUnit = bare.endsWith(suffix) ? bare : `${bare}${suffix}`;
  return kind === 'counter' ? `${withUnit}${totalSuffix}` : withUnit;
}

/** Returns the factor by which the numbers of a unit are multiplied. */
export function factorOf(unit: string): number {
  return Object.hasOwn(baseUnits, unit) ? (baseUnits[unit]?.factor ?? 1) : 1;
}

/** Returns true for label names that Prometheus takes and does not use itself. */
export function hasValidLabels({ labels = [] }: Pick<Gauge, 'labels'>): boolean {
  return (
    new Set(labels).size === labels.length &&
    labels.every((name) => /^(?!__)[a-z_][a-z0-9_]*$/.test(name) && name !== 'le' && name !== 'quantile')
  );
}
