import Type from 'typebox';
import { apiVersion, definePlugin, type ExecutionResult } from '../../kernel/index.ts';
import { build } from '../shared/project/build.ts';
import { apiclientChecks } from './checks.ts';
import { type OperationName, operations } from './operation-names.ts';
import { ApiclientOptionsSchema } from './options.ts';

export type { ApiclientOptions } from './options.ts';

const ExecutionSchema = Type.Object(
  {
    /** The operation on the collection. */
    operation: Type.Enum([...operations]),
  },
  { additionalProperties: false },
);

/** Executes `execution.type: apiclient`: reads and writes collections of HTTP requests, and runs them with the API client's command line. */
export const apiclient = definePlugin({
  name: 'apiclient',
  apiVersion,
  optionsSchema: ApiclientOptionsSchema,
  checks: apiclientChecks,
  apply(kernel, options) {
    const opened = lazy(async () => (await import('./operations.ts')).createOperations(options));
    kernel.extend.execution('apiclient', {
      schema: ExecutionSchema,
      fingerprint: build,
    });
    kernel.hooks.execute.for('apiclient').tapPromise('apiclient', async ({ tool, parameters }, context): Promise<ExecutionResult> => {
      const run = await opened();
      return { output: await run(tool.execution['operation'] as OperationName, parameters, context) };
    });
  },
});

function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
