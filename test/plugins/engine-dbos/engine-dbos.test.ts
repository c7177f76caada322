import { expect } from 'chai';
import { createKernel } from '../../../kernel/index.ts';
import { DbosQueue } from '../../../plugins/engine-dbos/dbos-queue.ts';
import { DbosWorker } from '../../../plugins/engine-dbos/dbos-worker.ts';
import { engineDbos } from '../../../plugins/engine-dbos/index.ts';
import { type Dbos, loadDbos } from '../../../plugins/engine-dbos/load-dbos.ts';
import { Cipher } from '../../../plugins/shared/keys/cipher.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { closedPort } from '../../support/closed-port.ts';
import { rejection } from '../../support/rejection.ts';
import { sharedState } from '../../support/shared-state.ts';

describe('engine-dbos', () => {
  it('wants a store that processes share', async () => {
    const opened = createKernel({ plugins: [engineDbos({ url: 'postgresql://127.0.0.1/toolkit' })] });
    expect((await rejection(opened, 'PLUGIN_INVALID')).message).to.include('Add storePostgres()');
  });

  it('wants the address of a database', async () => {
    const opened = createKernel({ plugins: [engineDbos({ url: 'mysql://127.0.0.1/toolkit' })] });
    expect((await rejection(opened, 'PLUGIN_INVALID')).message).to.match(/^engine-dbos: url expected postgresql:.*TOOLKIT_STORE_URL/);
  });

  it('does not share DBOS with the program that it is part of', async () => {
    const url = 'postgresql://127.0.0.1/toolkit';
    const dbos = async () => ({ DBOS: { isInitialized: () => true } }) as unknown as Dbos;
    const worker = new DbosWorker({ dbos, url, logger: memoryLogger(), executor: 'a', run: async () => {} });
    expect((await rejection(worker.setConcurrency(1), 'PLUGIN_INVALID')).message).to.include('runs in this process already');
  });

  it('says that its database cannot be reached, without the password', async () => {
    const url = `postgresql://ada:not-for-logs@127.0.0.1:${await closedPort()}/toolkit`;
    const logger = memoryLogger();
    const { open } = await sharedState();
    const state = open();
    const queue = new DbosQueue({ dbos: loadDbos, url, logger, state, cipher: new Cipher(() => [new Uint8Array(32)]) });
    try {
      const error = await rejection(queue.put({ place: 'a', runAt: 1, ahead: 0, looks: 0 }, 0), 'STATE_UNAVAILABLE');
      expect(error.message).to.include('/toolkit').and.include('ECONNREFUSED');
      expect(JSON.stringify([error.message, logger.records])).to.not.include('not-for-logs');
    } finally {
      await queue.close();
      await state.close();
    }
  });
});
