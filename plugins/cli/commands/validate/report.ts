import { type ErrorCode, errorCodes } from '../../../../kernel/index.ts';
import { type RuleName, rules } from './rules.ts';

/** Something wrong with a definition, and where. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  /** The error code with which loading refuses it, or the name of a rule. */
  readonly rule: ErrorCode | RuleName;
  readonly message: string;
  /** As seen from the working directory where it is below it, else absolute. */
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based, in UTF-16 units. */
  readonly column?: number;
  /** The field, such as `parameters.city.type`. */
  readonly path?: string;
  readonly tool?: string;
  readonly plugin?: string;
}

/** What was checked, those that are broken included, and what was found. */
export interface Report {
  readonly tools: number;
  readonly providers: number;
  readonly skills: number;
  /** By file, then by place. */
  readonly findings: readonly Finding[];
}

export function totalsOf({ findings }: Report): { readonly errors: number; readonly warnings: number } {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: findings.length - errors };
}

/** `112 tools, 8 providers, 9 skills: 2 errors, 1 warning`. */
export function summaryOf(report: Report): string {
  const { errors, warnings } = totalsOf(report);
  const definitions = [count(report.tools, 'tool'), count(report.providers, 'provider'), count(report.skills, 'skill')];
  return `${definitions.join(', ')}: ${count(errors, 'error')}, ${count(warnings, 'warning')}`;
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

const codes: Readonly<Record<string, { readonly meaning: string }>> = errorCodes;

/** What a rule is about, in words. */
export function meaningOf(rule: Finding['rule']): string {
  return Object.hasOwn(rules, rule) ? rules[rule as RuleName].meaning : (codes[rule]?.meaning ?? rule);
}

/** Messages that are sentences of their own; all others go on where the field left off. */
const standalone: ReadonlySet<Finding['rule']> = new Set(['TOOL_DUPLICATE', 'EXECUTOR_NOT_FOUND']);

/** The field and what is wrong with it, as one sentence. */
export function sentenceOf({ rule, path = '', message }: Finding): string {
  return path === '' || standalone.has(rule) ? message : `${path} ${message}`;
}

/** Whom a finding is about that has no file. */
export function ownerOf({ tool, plugin }: Finding): string {
  const owner = plugin === undefined ? '' : `plugin ${plugin}`;
  if (tool === undefined) return owner;
  return owner === '' ? `tool ${tool}` : `tool ${tool} (${owner})`;
}
