import type { CallContext } from '../../kernel/index.ts';
import type { OperationName } from './operation-names.ts';
import { createServices, type OperationContext } from './operation-services.ts';
import type { ApiclientOptions } from './options.ts';

/** An operation. Its parameters match the tool's definition; paths are absolute. */
type Operation = (parameters: never, work: OperationContext) => Promise<unknown>;

/** Modules by operation, imported on first use. */
const modules: Readonly<Record<OperationName, () => Promise<Operation>>> = {
  create_collection: async () => (await import('./create-collection.ts')).createCollection,
  add_request: async () => (await import('./add-request.ts')).addRequest,
  get_collection_info: async () => (await import('./collection-info.ts')).collectionInfo,
  list_collections: async () => (await import('./list-collections.ts')).listCollections,
  run_collection: async () => (await import('./run-collection.ts')).runCollection,
  run_request: async () => (await import('./run-request.ts')).runRequest,
  import_openapi: async () => (await import('./import-openapi.ts')).importOpenapi,
};

export type RunOperation = (name: OperationName, parameters: Readonly<Record<string, unknown>>, context: CallContext) => Promise<unknown>;

export function createOperations(options: ApiclientOptions): RunOperation {
  const services = createServices(options);
  return async (name, parameters, context) => (await modules[name]())(parameters as never, { ...services, context });
}
