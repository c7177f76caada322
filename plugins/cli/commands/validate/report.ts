import { type ErrorCode, errorCodes } from '../../../../kernel/index.ts';
import { type RuleName, rules } from './rules.ts';

/** A problem of a definition with its position. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  /** Error code of a problem found by loading, or name of a rule. */
  readonly rule: ErrorCode | RuleName;
  readonly message: string;
  /** Relative to the working directory when below it, else absolute. */
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based, in UTF-16 units. */
  readonly column?: number;
  /** Path of the field, such as `parameters.city.type`. */
  readonly path?: string;
  readonly tool?: string;
  readonly plugin?: string;
}

/** Result of a validation. Counts include broken definitions. */
export interface Report {
  readonly tools: number;
  readonly providers: number;
  readonly skills: number;
  /** Sorted by file and position. */
  readonly findings: readonly Finding[];
}

export function totalsOf({ findings }: Report): { readonly errors: number; readonly warnings: number } {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: findings.length - errors };
}

/** Returns the totals: `112 tools, 8 providers, 9 skills: 2 errors, 1 warning`. */
export function summaryOf(report: Report): string {
  const { errors, warnings } = totalsOf(report);
  const definitions = [count(report.tools, 'tool'), count(report.providers, 'provider'), count(report.skills, 'skill')];
  return `${definitions.join(', ')}: ${count(errors, 'error')}, ${count(warnings, 'warning')}`;
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

const codes: Readonly<Record<string, { readonly meaning: string }>> = errorCodes;

/** Returns the meaning of a rule in words. */
export function meaningOf(rule: Finding['rule']): string {
  return Object.hasOwn(rules, rule) ? rules[rule as RuleName].meaning : (codes[rule]?.meaning ?? rule);
}

/** Rules whose messages are whole sentences. All others continue a sentence that begins with the field. */
const standalone: ReadonlySet<Finding['rule']> = new Set(['TOOL_DUPLICATE', 'EXECUTOR_NOT_FOUND']);

/** Returns field and message as one sentence. */
export function sentenceOf({ rule, path = '', message }: Finding): string {
  return path === '' || standalone.has(rule) ? message : `${path} ${message}`;
}

/** Names the tool or plugin of a finding without a file. */
export function ownerOf({ tool, plugin }: Finding): string {
  const owner = plugin === undefined ? '' : `plugin ${plugin}`;
  if (tool === undefined) return owner;
  return owner === '' ? `tool ${tool}` : `tool ${tool} (${owner})`;
}
