import type { Logger, StateStore } from '../../../kernel/index.ts';
import { Mailbox } from './mailbox.ts';
import { Processes } from './processes.ts';

/** Processes that serve the same clients and share a store. */
export class Cluster {
  readonly state: StateStore;
  readonly logger: Pick<Logger, 'warn' | 'debug'>;
  readonly processes: Processes;
  readonly sessions: Mailbox;
  readonly tasks: Mailbox;

  constructor(state: StateStore, logger: Pick<Logger, 'warn' | 'debug'>) {
    this.state = state;
    this.logger = logger;
    this.processes = new Processes(state);
    this.sessions = new Mailbox(state, 'session', logger);
    this.tasks = new Mailbox(state, 'task', logger);
  }

  async close(): Promise<void> {
    await Promise.all([this.sessions.close(), this.tasks.close(), this.processes.close()]);
  }
}
