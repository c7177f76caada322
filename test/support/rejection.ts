import { expect } from 'chai';
import { type ErrorCode, ToolkitError } from '../../kernel/index.ts';

/** The ToolkitError that a promise rejects with; fails when it does not, or with another code. */
export async function rejection(promise: Promise<unknown>, code: ErrorCode): Promise<ToolkitError> {
  try {
    await promise;
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    expect(error.code, error.message).to.equal(code);
    return error;
  }
  throw new Error(`expected a rejection with ${code}`);
}
