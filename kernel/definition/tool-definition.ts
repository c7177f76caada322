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

/** What a tool does to the world, in the words of MCP (Tools, Tool Annotations). */
export type ToolAnnotations = Readonly<Static<typeof AnnotationsSchema>>;

export const ToolDefinitionSchema = Type.Object(
  {
    /** What the tool is called by: its provider or topic, a verb, a noun, such as `shop_get_order`. */
    name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
    /** What the tool does and when to choose it. A model chooses by this text. */
    description: Type.String({ minLength: 1 }),
    /** Of this definition, for people and programs that compare. Nothing else looks at it. */
    version: Type.Optional(Type.String()),
    /** A tool with the status `draft` is never offered to a model; host code lists and calls it. Any other says nothing. */
    status: Type.Optional(Type.String()),
    /** What a caller gives, by name. */
    parameters: Type.Optional(ParametersSchema),
    /** The parameters as a JSON Schema 2020-12 object, where `parameters` cannot say it (`$ref`, `oneOf`). One of the two. */
    input_schema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** What a call runs. The keys beside `type` and `timeout_ms` belong to the execution type, which brings its own schema. */
    execution: Type.Object({
      /** What runs: an execution type of the service or of a plugin. */
      type: Type.String(),
      /** How long a call may take, in milliseconds. @default `timeoutsMs.execute` of the configuration */
      timeout_ms: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
    /** In place of the provider's, key by key. */
    authentication: Type.Optional(AuthenticationSchema),
    /** What the result looks like, as a JSON Schema (2020-12). Results are checked against it, and models see it. */
    output_schema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /**
     * What the caller gets, in place of an error, when the work fails: a JSON value that `output_schema` accepts, with `{code}` and
     * `{message}` of the error. Refusals and cancellations stay errors.
     */
    failure_output: Type.Optional(Type.Unknown()),
    /** A map names parameters, and the value of each that needs approval; a list means any of its values. */
    requires_approval: Type.Optional(Type.Union([Type.Boolean(), Type.Record(Type.String(), Type.Unknown())])),
    /** What a wrong call can do. Policies and approvals go by it. @default for http by the method (reading is low, deleting is high), otherwise high */
    risk: Type.Optional(RiskSchema),
    /** Names of secrets that a function receives in its context. */
    secrets: Type.Optional(Type.Array(Type.String({ pattern: '^\\w+$' }))),
    /**
     * The result is made of the parameters alone: what runs reaches no network, file, program, secret or other caller's data. What the caller sent then
     * comes back as it was sent, also where it is like a secret; in log and trail it is masked. A fetch of such a call is refused.
     */
    pure: Type.Optional(Type.Literal(true)),
    /** In place of what risk, method and approval say. */
    annotations: Type.Optional(AnnotationsSchema),
    /** Calls that work: `describe` and the search show them, `validate` and tests check them. */
    examples: Type.Optional(
      Type.Array(
        Type.Object(
          {
            /** What the call is for. */
            description: Type.Optional(Type.String()),
            /** The parameters of one call. */
            parameters: Type.Record(Type.String(), Type.Unknown()),
            /** What that call gives. */
            output: Type.Optional(Type.Unknown()),
          },
          closed,
        ),
      ),
    ),
    /** Words by which tools are grouped and found. */
    tags: Type.Optional(Type.Array(Type.String())),
    /** Ways in which people ask for what the tool does: the search finds it by them. Never shown to a model. */
    intents: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 20, uniqueItems: true })),
    /** `always`: also where a model is shown only the tools to search with. `search`: nowhere else. @default shown with all others */
    listed: Type.Optional(Type.Enum(['always', 'search'])),
    /** Where a model is shown only a few tools, the description of this one also says which providers there are, and how many tools each has. */
    overview: Type.Optional(Type.Boolean()),
  },
  closed,
);

/** A tool definition file. `execution` holds `type`, `timeout_ms` and what the execution type defines. */
export type ToolDefinition = Omit<Static<typeof ToolDefinitionSchema>, 'parameters' | 'execution'> & {
  readonly parameters?: Readonly<Record<string, Parameter>>;
  readonly execution: { readonly type: string; readonly timeout_ms?: number; readonly [key: string]: unknown };
};
