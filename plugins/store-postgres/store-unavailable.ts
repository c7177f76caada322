import { ToolkitError } from '../../kernel/index.ts';
import { postgresProblem } from '../shared/state/postgres-problem.ts';

/** Returns STATE_UNAVAILABLE for an error of the database. One that already has a code stays. `name`: of the database, without credentials. */
export function unavailable(name: string, error: unknown): ToolkitError {
  if (ToolkitError.is(error)) return error;
  return new ToolkitError('STATE_UNAVAILABLE', `The store ${name} cannot be used: ${postgresProblem(error)}.`, {}, { cause: error });
}
