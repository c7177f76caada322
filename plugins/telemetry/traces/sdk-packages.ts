import { ToolkitError } from '../../../kernel/index.ts';
import { optionalPackage } from '../../shared/project/optional-package.ts';

/** Optional packages that run on Node 20. */
const packages = ['@opentelemetry/sdk-trace-node@2.12', '@opentelemetry/resources@2.12', '@opentelemetry/exporter-trace-otlp-proto@0.223'];

export interface SdkPackages {
  readonly node: typeof import('@opentelemetry/sdk-trace-node');
  readonly otlp: typeof import('@opentelemetry/exporter-trace-otlp-proto');
  readonly resources: typeof import('@opentelemetry/resources');
}

/** Imports the packages that send spans. Throws DEPENDENCY_MISSING, with the command that installs all of them. */
export async function loadSdkPackages(): Promise<SdkPackages> {
  const optional = <T>(name: string, imported: () => Promise<T>): Promise<T> => optionalPackage('telemetry', name, imported);
  try {
    const [node, otlp, resources] = await Promise.all([
      optional('@opentelemetry/sdk-trace-node', () => import('@opentelemetry/sdk-trace-node')),
      optional('@opentelemetry/exporter-trace-otlp-proto', () => import('@opentelemetry/exporter-trace-otlp-proto')),
      optional('@opentelemetry/resources', () => import('@opentelemetry/resources')),
    ]);
    return { node, otlp, resources };
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    // All of them at once, in the versions that run here.
    const message = error.message.replace(/ Run: npm install .*$/, ` Run: npm install ${packages.join(' ')}`);
    throw new ToolkitError(error.code, message, error.details, { cause: error.cause });
  }
}
