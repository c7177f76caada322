import { messageOf } from '../../kernel/index.ts';
import { isConnectionLost, isReadOnly } from '../shared/state/lost-connection.ts';

/** A statement whose connection cannot be used again. */
export class LostStatement extends Error {
  /** True when the server has surely not carried it out. */
  readonly isNotDone: boolean;
  /** Code of the system or of PostgreSQL. */
  readonly code: string | undefined;

  private constructor(error: unknown) {
    super(messageOf(error).replace(/^Query read timeout$/, 'the server did not answer in time'), { cause: error });
    this.code = (error as { code?: string } | undefined)?.code;
    this.isNotDone = isReadOnly(error);
  }

  /** Returns undefined for an answer of the server after which its connection goes on. */
  static of(error: unknown): LostStatement | undefined {
    return isConnectionLost(error) ? new LostStatement(error) : undefined;
  }
}
