import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false } as const;
const Text = Type.String({ minLength: 1 });
const Texts = Type.Array(Text, { minItems: 1 });

/** Selects operations. Each list is an alternative; wildcards `*` are allowed in all but `methods`. */
const SelectionSchema = Type.Object(
  {
    tags: Type.Optional(Texts),
    /** Paths as the document writes them, such as `/files/*`. */
    paths: Type.Optional(Texts),
    methods: Type.Optional(Type.Array(Type.Enum(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']), { minItems: 1 })),
    /** `operationId`s, or methods with paths such as `get /files/{file_id}`. */
    operations: Type.Optional(Texts),
  },
  closed,
);

export type Selection = Static<typeof SelectionSchema>;

export const DocumentSourceSchema = Type.Object(
  {
    /** The document: a path relative to the folder of the configuration, or a URL. A URL needs an entry in `toolkit.lock`. */
    document: Text,
    /** Operations that become tools. @default all */
    include: Type.Optional(SelectionSchema),
    /** Operations that do not. */
    exclude: Type.Optional(SelectionSchema),
    /** The base URL, in place of the document's servers. May be a private one, as the operator names it. */
    server: Type.Optional(Text),
    /** An OpenAPI Overlay 1.0 file that changes the document. */
    overlay: Type.Optional(Text),
    /** `all`: its tools are listed. `search`: they are found by searching. `auto`: listed up to 60 tools. @default 'auto' */
    expose: Type.Optional(Type.Enum(['all', 'search', 'auto'])),
    /**
     * The provider at which callers have accounts (`toolkit auth providers`): the tools send the token of the caller's login there, in place of
     * `<SOURCE>_TOKEN`. Its definition says which name holds it (`oauth2.provides`). @default a token of the source's own
     */
    account: Type.Optional(Text),
    /** `writes`: POST, PUT, PATCH and DELETE need approval. @default only DELETE */
    gate: Type.Optional(Type.Enum(['writes'])),
  },
  closed,
);

export type DocumentSource = Static<typeof DocumentSourceSchema>;

export const OpenapiOptionsSchema = Type.Object(
  {
    /** Documents by the name of the source, the prefix of its tools. */
    sources: Type.Optional(Type.Record(Type.String(), DocumentSourceSchema)),
  },
  closed,
);

export type OpenapiOptions = Static<typeof OpenapiOptionsSchema>;
