import { excerpt, messageOf, ToolkitError } from '../../kernel/index.ts';

const packageName = '@aws-sdk/client-secrets-manager';

export type Sdk = typeof import('@aws-sdk/client-secrets-manager');

/** Imports the AWS SDK, an optional package, on first use. Throws DEPENDENCY_MISSING. */
export async function loadSdk(): Promise<Sdk> {
  try {
    return await import('@aws-sdk/client-secrets-manager');
  } catch (error) {
    const isAbsent = (error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND' && messageOf(error).includes(`'${packageName}'`);
    const why = isAbsent ? 'is not installed' : `does not load (${excerpt(messageOf(error))})`;
    throw new ToolkitError(
      'DEPENDENCY_MISSING',
      `secrets-aws needs the package ${packageName}, which ${why}. Run: npm install ${packageName}`,
      { package: packageName },
      { cause: error },
    );
  }
}
