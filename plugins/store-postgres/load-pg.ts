import type pg from 'pg';
import { excerpt, messageOf, ToolkitError } from '../../kernel/index.ts';

/** Imports `pg`, an optional package, on first use. Throws DEPENDENCY_MISSING. */
export async function loadPg(): Promise<typeof pg> {
  try {
    return (await import('pg')).default;
  } catch (error) {
    const isAbsent = (error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND' && messageOf(error).includes("'pg'");
    const why = isAbsent ? 'is not installed' : `does not load (${excerpt(messageOf(error))})`;
    throw new ToolkitError(
      'DEPENDENCY_MISSING',
      `store-postgres needs the package pg, which ${why}. Run: npm install pg`,
      { package: 'pg' },
      { cause: error },
    );
  }
}
