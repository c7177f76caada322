import path from 'node:path';
import { type Finding, ownerOf, type Report, sentenceOf, summaryOf } from '../report.ts';

/** Formats workflow commands of GitHub Actions, which annotate each line, and a summary for the log. */
export function formatGithub(report: Report): string {
  return `${[...report.findings.map(commandOf), summaryOf(report)].join('\n')}\n`;
}

function commandOf(finding: Finding): string {
  const { severity, file, line, column: col, rule: title } = finding;
  const properties = { file: file?.replaceAll(path.sep, '/'), line, col, title };
  const given = Object.entries(properties).filter(([, value]) => value !== undefined);
  const message = file === undefined ? `${ownerOf(finding)}: ${sentenceOf(finding)}` : sentenceOf(finding);
  return `::${severity} ${given.map(([key, value]) => `${key}=${escapedProperty(String(value))}`).join(',')}::${escapedData(message)}`;
}

function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
