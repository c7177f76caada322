import { lockFileName } from '../../shared/lock/lock-file-name.ts';
import { version } from '../../shared/project/version.ts';
import { jsonText } from '../../shared/text/json-text.ts';
import type { LockReport } from './lock-report.ts';
import { reportLines } from './report-text.ts';

/** Formats a report in the Static Analysis Results Interchange Format (OASIS SARIF 2.1.0), for code scanning. */
export function reportSarif(report: LockReport): string {
  const differences = reportLines(report).map(({ change, kind, name, details }) => ({
    ruleId: `lock/${change}-${kind}`,
    level: 'error',
    text: `The ${kind} "${name}" ${change === 'changed' ? 'differs from' : change === 'new' ? 'has no entry in' : 'is gone, and has an entry in'} ${lockFileName}${details === '' ? '' : `: ${details}`}.`,
    name,
  }));
  const findings = report.findings.map(({ rule, isHard, message, names: [name = ''] }) => ({
    ruleId: `lock/${rule}`,
    level: isHard ? 'error' : 'warning',
    text: `${message}.`,
    name,
  }));
  const all = [...differences, ...findings];
  const rules = [...new Set(all.map(({ ruleId }) => ruleId))].sort();
  const results = all.map(({ ruleId, level, text, name }) => ({
    ruleId,
    ruleIndex: rules.indexOf(ruleId),
    level,
    // Section 3.11.5: a single brace begins a placeholder.
    message: { text: text.replaceAll('{', '{{').replaceAll('}', '}}') },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: lockFileName, uriBaseId: '%SRCROOT%' } },
        ...(name === '' ? {} : { logicalLocations: [{ name, kind: 'function' }] }),
      },
    ],
  }));
  const driver = { name: 'toolkit', version, rules: rules.map((id) => ({ id })) };
  return jsonText({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  });
}
