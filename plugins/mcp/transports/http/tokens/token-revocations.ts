import { randomBytes } from 'node:crypto';
import { type JsonObject, messageOf } from '../../../../../kernel/index.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import { allMembers } from '../../../cluster/mailbox.ts';

/** A removed token. */
export interface RevokedToken {
  readonly name: string;
  /** SHA-256 of its value, in 64 hexadecimal digits. */
  readonly sha256: string;
}

/** Differs from every session's id: those are digests. */
const mailboxId = 'tokens';

/** Notifies the processes that share the sessions of removed tokens. */
export class TokenRevocations {
  readonly #cluster: Cluster;
  readonly #label: string;
  readonly #leave: () => void;

  /** `onGone`: called with the tokens that other processes removed. */
  constructor(cluster: Cluster, onGone: (tokens: readonly RevokedToken[]) => void) {
    this.#cluster = cluster;
    this.#label = cluster.processes.ownName + randomBytes(4).toString('hex');
    this.#leave = cluster.sessions.join(mailboxId, {
      label: this.#label,
      receive: ({ gone }: JsonObject) => onGone((gone ?? []) as unknown as readonly RevokedToken[]),
    });
    cluster.sessions
      .listen()
      .catch((error: unknown) => cluster.logger.warn(`other processes cannot tell of tokens that are gone: ${messageOf(error)}`));
  }

  /** Publishes removed tokens. Never rejects: a process that misses this reads the file itself. */
  async publish(gone: readonly RevokedToken[]): Promise<void> {
    try {
      await this.#cluster.sessions.post(
        mailboxId,
        { from: this.#label, to: allMembers },
        { gone: gone.map(({ name, sha256 }) => ({ name, sha256 })) },
      );
    } catch (error) {
      this.#cluster.logger.warn(`other processes were not told of tokens that are gone: ${messageOf(error)}. Send SIGHUP to each`);
    }
  }

  close(): void {
    this.#leave();
  }
}
