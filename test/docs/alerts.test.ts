import { expect } from 'chai';
import { errorCodes } from '../../kernel/index.ts';
import { excludedCodes, readAlerts } from '../plugins/mcp/docker/cluster-files.ts';
import { documentText, sectionsIn } from './markdown-page.ts';

const alerts = await readAlerts();

describe('the alerts of the guide to operating', () => {
  it('are the five that Prometheus has, word for word', async () => {
    const section = sectionsIn(await documentText('plugins/toolkit/OPERATING.md')).find(({ anchor }) => anchor === 'metrics-and-alerts');
    const rows = (section?.text ?? '').split('\n').filter((line) => line.startsWith('| `Toolkit'));
    const written = rows.map((row) =>
      row
        .replaceAll('`', '')
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
    expect(alerts).to.have.length(5);
    expect(written).to.deep.equal(
      alerts.map((alert) => [alert.alert, alert.for, alert.labels.severity, alert.annotations.summary, alert.annotations.description]),
    );
  });

  it('leave out the errors that only another call or a person mends', () => {
    const left = alerts.map(({ expr }) => excludedCodes(expr)).find((codes) => codes.length > 0);
    const notOurs = Object.entries(errorCodes).filter(([, { fault }]) => fault === 'caller' || fault === 'nobody');
    // An effect that may have happened is for the operator to look at.
    expect(left).to.have.members(notOurs.map(([code]) => code).filter((code) => code !== 'OUTCOME_UNKNOWN'));
  });
});
