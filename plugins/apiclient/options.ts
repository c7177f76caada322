import Type, { type Static } from 'typebox';

export const ApiclientOptionsSchema = Type.Object(
  {
    /** Program of the runner: a name on the PATH, or a path. @default 'bru' */
    command: Type.Optional(Type.String({ minLength: 1 })),
    /**
     * File names that mark a folder as a collection; the first existing file gives its name. A `.yml` file marks an OpenCollection and, as in the runner,
     * takes precedence. @default ['apiclient.json', 'bruno.json', 'opencollection.yml']
     */
    descriptors: Type.Optional(Type.Array(Type.String({ pattern: '^[^/\\\\]+\\.(json|yml)$' }), { minItems: 1 })),
    /**
     * Environment variables passed to the runner and to scripts of collections (`{{process.env.NAME}}`), in addition to PATH, HOME and the like.
     * @default none
     */
    env: Type.Optional(Type.Array(Type.String({ pattern: '^\\w+$' }))),
    limits: Type.Optional(
      Type.Object(
        {
          /** Maximum number of request files in a collection, and of collections in a listing. @default 10000 */
          maxFiles: Type.Optional(Type.Integer({ minimum: 1 })),
          /** Maximum size of a file in a collection, in bytes. @default 1048576 */
          maxFileBytes: Type.Optional(Type.Integer({ minimum: 1 })),
          /** Maximum size of an OpenAPI document, in bytes. @default 10485760 */
          maxSpecificationBytes: Type.Optional(Type.Integer({ minimum: 1 })),
          /** Maximum size of the report of a run, in bytes. @default 104857600 */
          maxReportBytes: Type.Optional(Type.Integer({ minimum: 1 })),
          /** Maximum number of iterations of a collection in one call. @default 10000 */
          maxIterations: Type.Optional(Type.Integer({ minimum: 1 })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type ApiclientOptions = Static<typeof ApiclientOptionsSchema>;
