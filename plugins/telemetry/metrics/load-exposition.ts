import { optionalPackage } from '../../shared/project/optional-package.ts';
import type { Exposition } from './exposition.ts';

/** Imports prom-client, and what uses it. Throws DEPENDENCY_MISSING without the package. */
export async function loadExposition(): Promise<typeof Exposition> {
  return (await optionalPackage('telemetry', 'prom-client', () => import('./exposition.ts'))).Exposition;
}
