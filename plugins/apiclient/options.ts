import Type, { type Static } from 'typebox';

export const ApiclientOptionsSchema = Type.Object(
  {
    /** The runner's program: a name on the PATH, or a path. @default 'bru' */
    command: Type.Optional(Type.String({ minLength: 1 })),
    /**
     * Files that make a folder a collection, the first one that is there naming it. One that ends in `.yml` makes it an OpenCollection, and
     * goes before the others, as it does for the runner. @default ['apiclient.json', 'bruno.json', 'opencollection.yml']
     */
    descriptors: Type.Optional(Type.Array(Type.String({ pattern: '^[^/\\\\]+\\.(json|yml)$' }), { minItems: 1 })),
    /**
     * Names of environment variables that the runner and the scripts of collections see (`{{process.env.NAME}}`), beside PATH, HOME and the
     * like. @default none
     */
    env: Type.Optional(Type.Array(Type.String({ pattern: '^\\w+$' }))),
    limits: Type.Optional(
      Type.Object(
        {
          /** Request files of one collection, and collections of one listing. @default 10000 */
          maxFiles: Type.Optional(Type.Integer({ minimum: 1 })),
          /** Bytes of one file of a collection. @default 1048576 */
          maxFileBytes: Type.Optional(Type.Integer({ minimum: 1 })),
          /** Bytes of an OpenAPI document. @default 10485760 */
          maxSpecificationBytes: Type.Optional(Type.Integer({ minimum: 1 })),
          /** Bytes of the report of a run. @default 104857600 */
          maxReportBytes: Type.Optional(Type.Integer({ minimum: 1 })),
          /** Times that a collection may be run in one call. @default 10000 */
          maxIterations: Type.Optional(Type.Integer({ minimum: 1 })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type ApiclientOptions = Static<typeof ApiclientOptionsSchema>;
