import type { createPostgresBackend, DelayedError, Queue, Worker } from 'bullmq';
import { optionalPackage } from '../shared/project/optional-package.ts';

/** The parts of BullMQ that the engine uses. */
export interface BullMq {
  readonly Queue: typeof Queue;
  readonly Worker: typeof Worker;
  readonly DelayedError: typeof DelayedError;
  readonly createPostgresBackend: typeof createPostgresBackend;
}

/** Imports `bullmq`, an optional package, on first use. Throws DEPENDENCY_MISSING. */
export function loadBullMq(): Promise<BullMq> {
  return optionalPackage('engine-bullmq', 'bullmq', async () => {
    const { Queue, Worker, DelayedError, createPostgresBackend } = await import('bullmq');
    return { Queue, Worker, DelayedError, createPostgresBackend };
  });
}
