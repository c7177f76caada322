import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { RealServer } from '../postgres/server.ts';
import type { EngineName } from './kernel.ts';

/** Empty stores for the tests of one file. */
export interface Stores {
  /** Makes one. Returns it as `Place.store`. */
  make(): Promise<string>;
  /** Removes those of one test. */
  undo(): Promise<void>;
  stop(): Promise<void>;
  /** Returns the number of statements of a store so far, where a server counts them. Each is a transaction: none of ours begins one. */
  readonly statements?: (store: string) => Promise<number>;
}

/** An engine, and the stores that it is for. */
export interface StoreSource {
  readonly engine: EngineName;
  readonly title: string;
  open(): Promise<Stores>;
}

/** `engine-local` of the processes of one machine. */
export const inFiles: StoreSource = {
  engine: 'engine-local',
  title: 'in a file',
  open: async () => {
    const folders: string[] = [];
    return {
      make: async () => {
        const folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-test-'));
        folders.push(folder);
        return path.join(folder, 'state.db');
      },
      undo: async () => {
        await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
      },
      stop: async () => {},
    };
  },
};

/** `engine-bullmq` of the processes of several machines. */
export const inPostgres: StoreSource = {
  engine: 'engine-bullmq',
  title: 'on PostgreSQL',
  open: async () => {
    const server = await RealServer.start();
    const statements = async (store: string): Promise<number> => {
      const sql = 'select xact_commit as count from pg_stat_database where datname = $1';
      return Number((await server.rows(sql, [new URL(store).pathname.slice(1)]))[0]?.['count']);
    };
    return { make: () => server.makeDatabase(), undo: () => server.undo(), stop: () => server.stop(), statements };
  },
};
