import Type from 'typebox';

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
   * A format of JSON Schema, or of OpenAPI. `int64` on an integer: what runs takes one beyond ±(2^53−1) as a text of its digits. http and command tools
   * and Python functions take such integers wherever the type is integer or number; JavaScript functions refuse them where `int64` is not said.
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
 * refuses other members unless `additionalProperties` allows them. As it is written: linked definitions have no `$ref`.
 */
export const ParameterSchema = Type.Cyclic(
  {
    Parameter: Type.Object(
      {
        /** `#/$defs/name`: a parameter that the provider shares. The keys beside it win. */
        $ref: Type.Optional(Type.String()),
        /** What values it takes; a list for several. @default any JSON value */
        type: Type.Optional(
          Type.Union([Type.Enum([...parameterTypes]), Type.Array(Type.Enum([...parameterTypes, 'null']), { minItems: 1 })]),
        ),
        /** Whether a call must give it. @default false */
        required: Type.Optional(Type.Boolean()),
        /** What the value is for, its format, unit and limits. A model fills it in by this text. */
        description: Type.Optional(Type.String()),
        /** The value of a call that gives none. */
        default: Type.Optional(Type.Unknown()),
        /** A value as a caller might give it. */
        example: Type.Optional(Type.Unknown()),
        /** Of an array: what its items are. */
        items: Type.Optional(Type.Ref('Parameter')),
        /** Of an object: its members, by name. */
        properties: Type.Optional(Type.Record(Type.String(), Type.Ref('Parameter'))),
        /** Of an object: whether it may have other members, or what these are. @default true without `properties`, else false */
        additionalProperties: Type.Optional(Type.Union([Type.Boolean(), Type.Ref('Parameter')])),
        /** Overrides the naming rule and the mapping of the provider: true makes it a credential, which no model can give, false an ordinary parameter. */
        auth: Type.Optional(Type.Boolean()),
        /**
         * The value is a file system path (or a list of them), confined to the roots. `roots`, for a `fixed` list: the value is the folders that
         * are open to tools, their links resolved, for tools that come to paths by themselves. `write_roots`: of these the ones that tools may
         * write to. The innermost folder around a path decides: a folder that is only open for reading may lie inside of one for writing.
         */
        path: Type.Optional(Type.Enum(['read', 'write', 'roots', 'write_roots'])),
        /**
         * The value may also come from a file: the tool takes `<name>_path` as well, a path that is confined as one of `path: read`, or `output://<id>`,
         * a kept output of the same caller. A text is what the file holds (UTF-8, or UTF-16 with a byte order mark; .gz is unpacked); any other
         * value its JSON, for a list also JSON lines. What runs gets the value under the name of this parameter. A call gives one of the two.
         */
        from: Type.Optional(Type.Literal('path')),
        /**
         * Streams a text that says `from: path`, for functions that run in this process: the text of a file is handed over as an `AsyncIterable<string>`, of
         * any length, in place of a string.
         */
        streamed: Type.Optional(Type.Literal(true)),
        /**
         * Reads tables for a value that says `from: path` and may be a list: a file whose name ends in .csv or .tsv is read as the list of its rows, objects by the names
         * in the first one; a column is one of numbers when all its fields are, and an empty field null.
         */
        tables: Type.Optional(Type.Literal(true)),
        /** Of a path: hands over a symbolic link in the last place itself, not what it leads to, which must lie inside the roots all the same. */
        follow: Type.Optional(Type.Literal(false)),
        /** Of a path: an http or https URL may stand in its place, and is handed over as it is. */
        or_url: Type.Optional(Type.Literal(true)),
        /**
         * Of a path: an approval of a call holds for the folder as such (device and inode) and not for what is in it, where that only says where to
         * work. @default what is in it counts as well
         */
        binds: Type.Optional(Type.Literal('place')),
        /** Of a path: control files that these plugins name may be given all the same, for tools whose work they are. */
        control_files: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
        /** The value is always the default: callers neither see the parameter nor can give it. Other hooks may change it, as for a path. */
        fixed: Type.Optional(Type.Literal(true)),
        /**
         * Where the value comes from when the caller gives none: a name of `parameter_mapping` that says `secret: false`. Not when the
         * parameter `unless` is given.
         */
        default_from: Type.Optional(Type.Object({ parameter: Name, unless: Type.Optional(Type.String({ minLength: 1 })) }, closed)),
        /**
         * A text that begins with `-` may be given, although a program would take it for an option. Of a command tool: where the value begins an
         * argument and no `--` stands before it in `args`; numbers, and values that `enum` lists, may always. Of a function tool `false` refuses
         * such texts in the value, at any depth. @default false for a command tool, true for a function
         */
        options: Type.Optional(Type.Boolean()),
        /**
         * False refuses a text that is the JSON of an object or a list: the tool works on values, and who gives such a text means what it holds.
         * Where the type is an object or a list and no text, such a text is read. @default true
         */
        json_text: Type.Optional(Type.Literal(false)),
        /** Completes "expected" in the message of a value that misses `pattern`: `a date such as 2026-03-14`. @default made of `example` */
        pattern_description: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
        /** Names that callers give by mistake for this one: they are refused with the name that is meant. */
        mistaken_names: Type.Optional(Type.Array(Name, { minItems: 1, maxItems: 10 })),
        /** The value is the name of a secret, which the function then gets; the operator says which names may be given. */
        names_secret: Type.Optional(Type.Literal(true)),
        ...constraints,
      },
      closed,
    ),
  },
  'Parameter',
);

/** Parameters by name. `$ref` is `#/$defs/name`: parameters that the provider shares, of which those written beside it win. */
export const ParametersSchema = Type.Object({ $ref: Type.Optional(Type.String()) }, { additionalProperties: ParameterSchema });

export interface Parameter {
  readonly type?: string | readonly string[];
  readonly required?: boolean;
  readonly description?: string;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly items?: Parameter;
  readonly properties?: Readonly<Record<string, Parameter>>;
  readonly additionalProperties?: boolean | Parameter;
  readonly auth?: boolean;
  readonly path?: 'read' | 'write' | 'roots' | 'write_roots';
  readonly from?: 'path';
  readonly streamed?: true;
  readonly tables?: true;
  /** The parameter whose value is at the path: of a parameter that `from: path` adds. No definition says it. */
  readonly reads?: string;
  readonly follow?: false;
  readonly or_url?: true;
  readonly binds?: 'place';
  readonly control_files?: readonly string[];
  readonly fixed?: true;
  readonly options?: boolean;
  readonly names_secret?: true;
  readonly json_text?: false;
  readonly pattern_description?: string;
  readonly mistaken_names?: readonly string[];
  readonly default_from?: { readonly parameter: string; readonly unless?: string };
  readonly [constraint: string]: unknown;
}

/** Whether null, given for this parameter, means that nothing is given. It is a value where the type says so, or where any value is allowed. */
export function isNullNothing({ required, type }: Parameter): boolean {
  return required !== true && type !== undefined && ![type].flat().includes('null');
}
