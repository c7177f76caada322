import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false, patternProperties: { '^x-': {} } } as const;

const Name = Type.String({ pattern: '^\\w+$' });

const parameterTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array'] as const;

const constraints = {
  enum: Type.Optional(Type.Array(Type.Unknown(), { minItems: 1 })),
  minimum: Type.Optional(Type.Number()),
  maximum: Type.Optional(Type.Number()),
  exclusiveMinimum: Type.Optional(Type.Number()),
  exclusiveMaximum: Type.Optional(Type.Number()),
  multipleOf: Type.Optional(Type.Number()),
  minLength: Type.Optional(Type.Integer({ minimum: 0 })),
  maxLength: Type.Optional(Type.Integer({ minimum: 0 })),
  pattern: Type.Optional(Type.String()),
  /**
   * A format of JSON Schema or OpenAPI. `int64` on an integer: the executor accepts integers beyond ±(2^53−1) as texts of their digits. http and command
   * tools and Python functions accept them for every integer and number; JavaScript functions only with `int64`.
   */
  format: Type.Optional(Type.String()),
  minItems: Type.Optional(Type.Integer({ minimum: 0 })),
  maxItems: Type.Optional(Type.Integer({ minimum: 0 })),
  uniqueItems: Type.Optional(Type.Boolean()),
  minProperties: Type.Optional(Type.Integer({ minimum: 0 })),
  maxProperties: Type.Optional(Type.Integer({ minimum: 0 })),
};

/**
 * One parameter. Without `type` any JSON value is accepted. `required` is a boolean at every level; an object with `properties`
 * refuses other members unless `additionalProperties` allows them. The schema of definition files: linked definitions have no `$ref`.
 */
export const ParameterSchema = Type.Cyclic(
  {
    Parameter: Type.Object(
      {
        /** `#/$defs/name`: a shared parameter of the provider. The keys next to it take precedence. */
        $ref: Type.Optional(Type.String()),
        /** The type of the value, or a list of types. @default any JSON value */
        type: Type.Optional(
          Type.Union([Type.Enum([...parameterTypes]), Type.Array(Type.Enum([...parameterTypes, 'null']), { minItems: 1 })]),
        ),
        /** True when a call must have the parameter. @default false */
        required: Type.Optional(Type.Boolean()),
        /** The purpose of the value, its format, unit and limits. A model reads this text. */
        description: Type.Optional(Type.String()),
        /** The value for a call without one. */
        default: Type.Optional(Type.Unknown()),
        /** An example of a value. */
        example: Type.Optional(Type.Unknown()),
        /** The items of an array. */
        items: Type.Optional(Type.Ref('Parameter')),
        /** The members of an object, by name. */
        properties: Type.Optional(Type.Record(Type.String(), Type.Ref('Parameter'))),
        /** True when an object may have other members, or the parameter that describes them. @default true without `properties`, else false */
        additionalProperties: Type.Optional(Type.Union([Type.Boolean(), Type.Ref('Parameter')])),
        /** True for a credential, which no model can give; false for an ordinary parameter. @default by the naming rule and the provider's mapping */
        auth: Type.Optional(Type.Boolean()),
        /**
         * The value is a file system path, or a list of them, confined to the roots. `roots`, for a `fixed` list: the value is the list of folders open to
         * tools, with links resolved, for tools that find paths themselves. `write_roots`: those of them that tools may write to. The innermost folder
         * decides about a path: a read-only folder may be inside a writable one.
         */
        path: Type.Optional(Type.Enum(['read', 'write', 'roots', 'write_roots'])),
        /**
         * The value may also be read from a file: the tool accepts `<name>_path` instead, a confined path as for `path: read`, or `output://<id>` for a
         * stored output of the same caller. A text is the content of the file (UTF-8, or UTF-16 with a byte order mark; .gz is unpacked). Any other value
         * is its JSON; a list may be JSON lines. The executor gets the value under the name of this parameter. A call must not give both.
         */
        from: Type.Optional(Type.Literal('path')),
        /** Streams a text with `from: path`, for functions in this process: they get the text of a file as `AsyncIterable<string>`, of any length. */
        streamed: Type.Optional(Type.Literal(true)),
        /**
         * Reads tables, for a list with `from: path`: a .csv or .tsv file becomes a list of objects, with keys from its first row. A column is numeric when
         * all its fields are; an empty field is null.
         */
        tables: Type.Optional(Type.Literal(true)),
        /** For a path: false passes a symbolic link in the last segment unchanged. Its target must still be inside the roots. */
        follow: Type.Optional(Type.Literal(false)),
        /** For a path: accepts an http or https URL instead, and passes it on unchanged. */
        or_url: Type.Optional(Type.Literal(true)),
        /**
         * For a path: `place` binds an approval only to the folder (device and inode), not to its content. For a working directory. @default the content is
         * bound too
         */
        binds: Type.Optional(Type.Literal('place')),
        /** For a path: names of plugins whose control files the tool may use. */
        control_files: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
        /** The value is always the default: callers neither see nor set the parameter. Hooks may change it, as for a path. */
        fixed: Type.Optional(Type.Literal(true)),
        /**
         * The source of a missing value: a name of `parameter_mapping` with `secret: false`. Not used when the
         * parameter `unless` is given.
         */
        default_from: Type.Optional(Type.Object({ parameter: Name, unless: Type.Optional(Type.String({ minLength: 1 })) }, closed)),
        /**
         * True to accept a text that begins with `-`, which a program would read as an option. For a command tool: where the value begins an argument and `args`
         * has no `--` before it; numbers and values of `enum` are always accepted. For a function, `false` refuses such texts at any depth. @default false
         * for a command tool, true for a function
         */
        options: Type.Optional(Type.Boolean()),
        /**
         * False to refuse a text with the JSON of an object or a list: the caller means its content. If the type is an object or a list and not a text, such a
         * text is parsed instead. @default true
         */
        json_text: Type.Optional(Type.Literal(false)),
        /** The words after "expected" in the error for a value that does not match `pattern`: `a date such as 2026-03-14`. @default made from `example` */
        pattern_description: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
        /** Names that callers use by mistake. They are refused, and the error names this parameter. */
        mistaken_names: Type.Optional(Type.Array(Name, { minItems: 1, maxItems: 10 })),
        /** The value is the name of a secret, and the function gets the secret. The operator allows the names. */
        names_secret: Type.Optional(Type.Literal(true)),
        ...constraints,
      },
      closed,
    ),
  },
  'Parameter',
);

/** Parameters by name. `$ref` is `#/$defs/name`: shared parameters of the provider. Parameters next to it take precedence. */
export const ParametersSchema = Type.Object({ $ref: Type.Optional(Type.String()) }, { additionalProperties: ParameterSchema });

type Written = Static<typeof ParameterSchema>;

/** The members that a linked definition has in another form: types of other schemas, and parameters in parameters. */
type Wider = 'type' | '$ref' | 'items' | 'properties' | 'additionalProperties';

/** A parameter of a linked definition: the members of `ParameterSchema`, and keywords of JSON Schema that it does not have. */
export interface Parameter extends ReadonlyLists<Omit<Written, Wider>> {
  readonly type?: string | readonly string[];
  readonly items?: Parameter;
  readonly properties?: Readonly<Record<string, Parameter>>;
  readonly additionalProperties?: boolean | Parameter;
  /** For a parameter added by `from: path`: the parameter that gets the value. Never in a definition file. */
  readonly reads?: string;
  readonly [constraint: string]: unknown;
}

/** The same members, read-only, their lists too. */
type ReadonlyLists<T> = {
  readonly [K in keyof T]: T[K] extends (infer Item)[] | undefined ? readonly Item[] | Extract<T[K], undefined> : T[K];
};

/** Returns true when null for this parameter counts as absent. Null is a value if the type includes it, or any value is allowed. */
export function isNullNothing({ required, type }: Parameter): boolean {
  return required !== true && type !== undefined && ![type].flat().includes('null');
}
