import { expect } from 'chai';
import { WorkerReport } from '../../../plugins/engine-bullmq/worker-report.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';

describe('the report of a worker', () => {
  it('says once why no calls are taken, and once that they are again', () => {
    const logger = memoryLogger();
    const report = new WorkerReport(logger);
    report.resumed('queue');
    report.stopped('queue', 'the database is away');
    report.stopped('queue', 'the database is away');
    report.stopped('tools', 'it has none');
    report.resumed('queue');
    report.resumed('tools');
    report.resumed('tools');
    report.stopped('queue', 'the database is away again');
    expect(logger.records.map(({ message }) => message)).to.deep.equal([
      'this process takes no durable calls: the database is away',
      'this process takes no durable calls: it has none',
      'this process takes durable calls again',
      'this process takes no durable calls: the database is away again',
    ]);
  });
});
