import type { Terminal } from '../../../kernel/index.ts';
import { paint, type Style } from '../../shared/terminal/paint.ts';
import { textTable } from '../../shared/terminal/table.ts';
import { visibleText } from '../../shared/text/visible-text.ts';
import { kindOf } from '../items/lock-item.ts';
import type { LockReport } from './lock-report.ts';

/** A difference as it is shown. */
export interface ReportLine {
  readonly change: 'new' | 'changed' | 'removed';
  readonly kind: string;
  readonly name: string;
  readonly details: string;
}

/** Returns the differences of a report, sources last. */
export function reportLines({ differences, sources }: Pick<LockReport, 'differences' | 'sources'>): readonly ReportLine[] {
  return [
    ...differences.map((difference) => ({
      change: difference.change,
      kind: kindOf[difference.section],
      name: difference.name,
      details: difference.change === 'changed' ? difference.parts.join(' and ') : '',
    })),
    ...sources.map(({ section, change, name, reported }) => ({
      change,
      kind: section === 'documents' ? 'document' : 'server',
      name,
      details: reported.join('; '),
    })),
  ];
}

const styles: Readonly<Record<ReportLine['change'], Style>> = { new: 'good', changed: 'warning', removed: 'bad' };

/** Formats the differences and findings for a person. */
export async function reportText(report: LockReport, terminal: Terminal): Promise<string> {
  const rows = reportLines(report).map(({ change, kind, name, details }) => [
    paint(terminal, styles[change], change),
    kind,
    paint(terminal, 'name', visibleText(name)),
    visibleText(details),
  ]);
  const table = rows.length === 0 ? '' : await textTable(terminal, [{}, {}, {}, { narrow: 'cut' }], rows);
  const findings = report.findings.map(
    ({ isHard, message }) =>
      `${paint(terminal, isHard ? 'bad' : 'warning', isHard ? 'against the policy' : 'note')}: ${visibleText(message)}\n`,
  );
  return table + findings.join('');
}
