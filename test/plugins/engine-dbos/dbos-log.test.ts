import { expect } from 'chai';
import sinon from 'sinon';
import { dbosLog } from '../../../plugins/engine-dbos/dbos-log.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';

describe('the log of DBOS', () => {
  it('says the same failure once a minute, as a warning', () => {
    const clock = sinon.useFakeTimers();
    try {
      const logger = memoryLogger();
      const log = dbosLog(logger);
      for (let look = 0; look < 3; look++) {
        log.warn('the database is away');
        log.error(new Error('the queue is away'));
        clock.tick(20_000);
      }
      log.warn('the database is away');
      expect(logger.records.map(({ level, message }) => [level, message])).to.deep.equal([
        ['warn', 'DBOS: the database is away'],
        ['warn', 'DBOS: Error: the queue is away'],
        ['warn', 'DBOS: the database is away'],
      ]);
    } finally {
      clock.restore();
    }
  });

  it('tells nobody else what DBOS does', () => {
    const logger = memoryLogger();
    const log = dbosLog(logger);
    log.info('launched');
    log.debug('looking');
    expect(logger.records.filter(({ level }) => level !== 'debug')).to.deep.equal([]);
  });
});
