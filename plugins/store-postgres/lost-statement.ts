import type pg from 'pg';
import { messageOf } from '../../kernel/index.ts';
import { readOnlyCode } from './store-client.ts';

/** SQLSTATE of a connection that has ended, or is about to: class 08, and the shutdown codes of class 57. */
const endedCode = /^(08|57P)/;

/** A statement whose connection cannot be used again. */
export class LostStatement extends Error {
  /** True when the server has surely not carried it out. */
  readonly isNotDone: boolean;
  /** Code of the system or of PostgreSQL. */
  readonly code: string | undefined;

  private constructor(error: unknown) {
    super(messageOf(error).replace(/^Query read timeout$/, 'the server did not answer in time'), { cause: error });
    this.code = (error as { code?: string } | undefined)?.code;
    this.isNotDone = this.code === readOnlyCode;
  }

  /** Returns undefined for an answer of the server after which its connection goes on. */
  static of(error: unknown, { DatabaseError }: typeof pg): LostStatement | undefined {
    const { code = '' } = error as { code?: string };
    const goesOn = error instanceof DatabaseError && code !== readOnlyCode && !endedCode.test(code);
    return goesOn ? undefined : new LostStatement(error);
  }
}
