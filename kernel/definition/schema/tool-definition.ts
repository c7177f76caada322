import Type, { type Static } from 'typebox';
import { AuthenticationSchema } from './authentication.ts';
import { type Parameter, ParametersSchema } from './parameter.ts';

const closed = { additionalProperties: false, patternProperties: { '^x-': {} } } as const;

export const riskLevels = ['low', 'medium', 'high'] as const;
export const RiskSchema = Type.Enum([...riskLevels]);
export type Risk = (typeof riskLevels)[number];

const AnnotationsSchema = Type.Object(
  {
    title: Type.Optional(Type.String()),
    readOnlyHint: Type.Optional(Type.Boolean()),
    destructiveHint: Type.Optional(Type.Boolean()),
    idempotentHint: Type.Optional(Type.Boolean()),
    openWorldHint: Type.Optional(Type.Boolean()),
  },
  closed,
);

/** The effects of a tool, as in MCP (Tools, Tool Annotations). */
export type ToolAnnotations = Readonly<Static<typeof AnnotationsSchema>>;

export const ToolDefinitionSchema = Type.Object(
  {
    /** The name of the tool: its provider or topic, a verb, a noun, such as `shop_get_order`. */
    name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
    /** The purpose of the tool, and when to choose it. A model chooses by this text. */
    description: Type.String({ minLength: 1 }),
    /** The version of this definition, for people. The Toolkit ignores it. */
    version: Type.Optional(Type.String()),
    /** The status of the tool. A `draft` is never offered to a model; host code lists and calls it. Other values have no effect. */
    status: Type.Optional(Type.String()),
    /** The parameters of a call, by name. Beside `input_schema`: keys for its properties that no JSON Schema has, such as `path`, `fixed` and `auth`. */
    parameters: Type.Optional(ParametersSchema),
    /** The parameters as a JSON Schema 2020-12 object, for keywords that `parameters` does not have (`$ref`, `oneOf`). */
    input_schema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** The work of a call. Keys besides `type` and `timeout_ms` are defined by the execution type. */
    execution: Type.Object({
      /** The execution type, built in or from a plugin. */
      type: Type.String(),
      /** Time limit of a call, in milliseconds. @default `timeoutsMs.execute` of the configuration */
      timeout_ms: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
    /** The authentication. Its keys replace those of the provider. */
    authentication: Type.Optional(AuthenticationSchema),
    /** The JSON Schema (2020-12) of the result. Results are checked against it, and models see it. */
    output_schema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /**
     * The output that replaces an error when the work fails: a JSON value that `output_schema` accepts, with `{code}` and
     * `{message}` of the error. Refusals and cancellations stay errors.
     */
    failure_output: Type.Optional(Type.Unknown()),
    /** True to require an approval for each call. A map requires it for values of parameters: a value, or a list of values, for each name. */
    requires_approval: Type.Optional(Type.Union([Type.Boolean(), Type.Record(Type.String(), Type.Unknown())])),
    /** The possible damage of a wrong call. Policies and approvals use it. @default for http by the method (reading is low, deleting is high), otherwise high */
    risk: Type.Optional(RiskSchema),
    /** Names of secrets that a function receives in its context. */
    secrets: Type.Optional(Type.Array(Type.String({ pattern: '^\\w+$' }))),
    /**
     * True when the result depends on the parameters alone: the tool uses no network, file, program, secret or data of another caller. The caller's values
     * are then not masked in the result, even if they look like a secret; they are masked in the log and the trail. A fetch of such a call is refused.
     */
    pure: Type.Optional(Type.Literal(true)),
    /** Annotations that replace those derived from risk, method and approval. */
    annotations: Type.Optional(AnnotationsSchema),
    /** Examples of valid calls. `describe` and the search show them; `validate` and tests check them. */
    examples: Type.Optional(
      Type.Array(
        Type.Object(
          {
            /** The purpose of the call. */
            description: Type.Optional(Type.String()),
            /** The parameters of one call. */
            parameters: Type.Record(Type.String(), Type.Unknown()),
            /** The output of the call. */
            output: Type.Optional(Type.Unknown()),
          },
          closed,
        ),
      ),
    ),
    /** Words to group and find the tool. */
    tags: Type.Optional(Type.Array(Type.String())),
    /** Requests of people for which the search should find the tool. Never shown to a model. */
    intents: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 20, uniqueItems: true })),
    /** `always`: listed even when a model sees only the search tools. `search`: listed only then. @default listed with all other tools */
    listed: Type.Optional(Type.Enum(['always', 'search'])),
    /** True to add the providers and their numbers of tools to the description, when a model sees only the search tools. */
    overview: Type.Optional(Type.Boolean()),
  },
  closed,
);

/** A tool definition file. `execution` has `type`, `timeout_ms` and the keys of the execution type. */
export type ToolDefinition = Omit<Static<typeof ToolDefinitionSchema>, 'parameters' | 'execution'> & {
  readonly parameters?: Readonly<Record<string, Parameter>>;
  readonly execution: { readonly type: string; readonly timeout_ms?: number; readonly [key: string]: unknown };
};
