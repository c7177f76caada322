import Type from 'typebox';
import { apiVersion, definePlugin, type ExecutionResult } from '../../kernel/index.ts';
import { build } from '../shared/project/build.ts';
import { type OperationName, operations } from './operation-names.ts';
import { ApiclientOptionsSchema } from './options.ts';

export type { ApiclientOptions } from './options.ts';

const ExecutionSchema = Type.Object(
  {
    /** What is done with the collection. */
    operation: Type.Enum([...operations]),
  },
  { additionalProperties: false },
);

/** Runs `execution.type: apiclient`: collections of HTTP requests, read and written here, run by the API client's command line. */
export const apiclient = definePlugin({
  name: 'apiclient',
  apiVersion,
  optionsSchema: ApiclientOptionsSchema,
  apply(kernel, options) {
    const opened = once(async () => (await import('./operations.ts')).openOperations(options));
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

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
