import type pg from 'pg';
import { optionalPackage } from '../shared/project/optional-package.ts';

/** Imports `pg`, an optional package, on first use. Throws DEPENDENCY_MISSING. */
export function loadPg(): Promise<typeof pg> {
  return optionalPackage('store-postgres', 'pg', async () => (await import('pg')).default);
}
