import { expect } from 'chai';
import { familyName, hasValidLabels } from '../../../../plugins/telemetry/metrics/gauge-family.ts';

describe('the name of a gauge in Prometheus', () => {
  const names: readonly (readonly [name: string, unit: string, kind: 'gauge' | 'counter', shown: string])[] = [
    ['approvals.waiting', '{approval}', 'gauge', 'toolkit_approvals_waiting'],
    ['approvals.decided', '{approval}', 'counter', 'toolkit_approvals_decided_total'],
    ['store.operation.time', 's', 'counter', 'toolkit_store_operation_time_seconds_total'],
    ['heap', 'By', 'gauge', 'toolkit_heap_bytes'],
    ['heap.bytes', 'By', 'gauge', 'toolkit_heap_bytes'],
    ['wait', 'ms', 'gauge', 'toolkit_wait_seconds'],
    ['jobs.total', '{job}', 'counter', 'toolkit_jobs_total'],
    ['sent.bytes.total', 'By', 'counter', 'toolkit_sent_bytes_total'],
    ['queue-depth.of jobs', '1', 'gauge', 'toolkit_queue_depth_of_jobs'],
    ['schlüssel', 'constructor', 'gauge', 'toolkit_schl_ssel'],
  ];
  for (const [name, unit, kind, shown] of names)
    it(`is ${shown} for the ${kind} "${name}" in ${unit}`, () => {
      expect(familyName({ name, unit, kind })).to.equal(shown);
    });
});

describe('the labels of a gauge', () => {
  const cases: readonly (readonly [labels: readonly string[], isValid: boolean])[] = [
    [[], true],
    [['state', 'source_2'], true],
    [['le'], false],
    [['quantile'], false],
    [['__name__'], false],
    [['State'], false],
    [['a"b'], false],
    [['state', 'state'], false],
  ];
  for (const [labels, isValid] of cases)
    it(`are ${isValid ? '' : 'in'}valid as [${labels.join(', ')}]`, () => {
      expect(hasValidLabels({ labels })).to.equal(isValid);
    });
});
