import { jsonText } from '../../../../shared/text/json-text.ts';
import { type Report, totalsOf } from '../report.ts';

/** Formats `{problems, tools, providers, skills, errors, warnings}`. Problems have the keys of `Finding`; the others are numbers. */
export function formatJson(report: Report): string {
  const { findings: problems, tools, providers, skills } = report;
  return jsonText({ problems, tools, providers, skills, ...totalsOf(report) });
}
