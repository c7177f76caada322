/** Operations of this execution type; each has a module. */
export const operations = [
  'create_collection',
  'add_request',
  'get_collection_info',
  'list_collections',
  'run_collection',
  'run_request',
  'import_openapi',
] as const;
export type OperationName = (typeof operations)[number];
