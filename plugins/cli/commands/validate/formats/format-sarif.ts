import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { version } from '../../../../shared/project/version.ts';
import { jsonText } from '../../../../shared/text/json-text.ts';
import { type Finding, meaningOf, ownerOf, type Report, sentenceOf } from '../report.ts';

/** Formats a log in the Static Analysis Results Interchange Format (OASIS SARIF 2.1.0), for code scanning. */
export function formatSarif({ findings }: Report): string {
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
  const driver = {
    name: 'toolkit',
    version,
    rules: rules.map((id) => ({ id, shortDescription: { text: `${meaningOf(id)}.` } })),
  };
  const results = findings.map((finding) => resultOf(finding, rules.indexOf(finding.rule)));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  };
  return jsonText(log);
}

function resultOf(finding: Finding, ruleIndex: number): object {
  const { rule, severity, file, tool } = finding;
  const text = file === undefined ? `${ownerOf(finding)}: ${sentenceOf(finding)}` : sentenceOf(finding);
  const place = {
    ...(file === undefined ? {} : { physicalLocation: { artifactLocation: locationOf(file), ...regionOf(finding) } }),
    ...(tool === undefined ? {} : { logicalLocations: [{ name: tool, kind: 'function' }] }),
  };
  return {
    ruleId: rule,
    ruleIndex,
    level: severity,
    message: { text: escaped(text) },
    ...(Object.keys(place).length === 0 ? {} : { locations: [place] }),
  };
}

/** Section 3.11.5: a single brace begins a placeholder. */
function escaped(text: string): string {
  return text.replaceAll('{', '{{').replaceAll('}', '}}');
}

/** Section 3.4: a relative URI is relative to the root of the sources. */
function locationOf(file: string): object {
  if (path.isAbsolute(file)) return { uri: pathToFileURL(file).href };
  return { uri: file.split(path.sep).map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' };
}

function regionOf({ line: startLine, column: startColumn }: Finding): object {
  return startLine === undefined ? {} : { region: { startLine, startColumn } };
}
