import { expect } from 'chai';
import { createKernel } from '../../../kernel/index.ts';
import { engineBullmq } from '../../../plugins/engine-bullmq/index.ts';
import { JobQueue } from '../../../plugins/engine-bullmq/job-queue.ts';
import { loadBullMq } from '../../../plugins/engine-bullmq/load-bullmq.ts';
import { PostgresHosts } from '../../../plugins/shared/state/postgres-hosts.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { closedPort } from '../../support/closed-port.ts';
import { fileStore } from '../../support/file-store.ts';
import { rejection } from '../../support/rejection.ts';

describe('engine-bullmq', () => {
  it('refuses a configuration without a store, and one whose store one machine has for itself', async () => {
    const inFile = await fileStore();
    for (const stores of [[], [inFile()]]) {
      const opened = createKernel({ plugins: [...stores, engineBullmq({ url: 'postgresql://127.0.0.1/toolkit' })] });
      expect((await rejection(opened, 'PLUGIN_INVALID')).message).to.include('Add storePostgres()');
    }
  });

  it('refuses a URL of another database', async () => {
    const opened = createKernel({ plugins: [engineBullmq({ url: 'mysql://127.0.0.1/toolkit' })] });
    expect((await rejection(opened, 'PLUGIN_INVALID')).message).to.match(/^engine-bullmq: url expected postgresql:.*TOOLKIT_STORE_URL/);
  });

  it('reports a database that cannot be reached, without the password', async () => {
    const url = `postgresql://ada:not-for-logs@127.0.0.1:${await closedPort()}/toolkit`;
    const logger = memoryLogger();
    const queue = new JobQueue('set', { bullmq: loadBullMq, url, hosts: new PostgresHosts(url), logger });
    try {
      const error = await rejection(queue.add([{ callKey: 'a', runAt: 1 }]), 'STATE_UNAVAILABLE');
      expect(error.message).to.include('/toolkit').and.include('ECONNREFUSED');
      expect(JSON.stringify([error.message, logger.records])).to.not.include('not-for-logs');
    } finally {
      await queue.close();
    }
  });
});
