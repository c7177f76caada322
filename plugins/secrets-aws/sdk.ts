import { optionalPackage } from '../shared/project/optional-package.ts';

export type Sdk = typeof import('@aws-sdk/client-secrets-manager');

/** Imports the AWS SDK, an optional package, on first use. Throws DEPENDENCY_MISSING. */
export function loadSdk(): Promise<Sdk> {
  return optionalPackage('secrets-aws', '@aws-sdk/client-secrets-manager', () => import('@aws-sdk/client-secrets-manager'));
}
