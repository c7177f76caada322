import Type, { type Static } from 'typebox';
import { AuthSchema } from './auth.ts';
import { ErrorWhenSchema } from './error-when.ts';
import { PaginateSchema } from './paginate.ts';

const closed = { additionalProperties: false, patternProperties: { '^x-': {} } } as const;

export const riskLevels = ['low', 'medium', 'high'] as const;
export const RiskSchema = Type.Enum([...riskLevels]);
export type Risk = (typeof riskLevels)[number];

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
        type: Type.Optional(
          Type.Union([Type.Enum([...parameterTypes]), Type.Array(Type.Enum([...parameterTypes, 'null']), { minItems: 1 })]),
        ),
        required: Type.Optional(Type.Boolean()),
        description: Type.Optional(Type.String()),
        default: Type.Optional(Type.Unknown()),
        example: Type.Optional(Type.Unknown()),
        items: Type.Optional(Type.Ref('Parameter')),
        properties: Type.Optional(Type.Record(Type.String(), Type.Ref('Parameter'))),
        additionalProperties: Type.Optional(Type.Union([Type.Boolean(), Type.Ref('Parameter')])),
        /** Overrides the naming rule: true makes it a credential, false an ordinary parameter. */
        auth: Type.Optional(Type.Boolean()),
        /** The value is a file system path (or a list of them), confined to the roots. */
        path: Type.Optional(Type.Enum(['read', 'write'])),
        /** Of a path: hands over a symbolic link in the last place itself, not what it leads to, which must lie inside the roots all the same. */
        follow: Type.Optional(Type.Literal(false)),
        /** Of a path: an http or https URL may stand in its place, and is handed over as it is. */
        or_url: Type.Optional(Type.Literal(true)),
        /** The value is always the default: callers neither see the parameter nor can give it. Other hooks may change it, as for a path. */
        fixed: Type.Optional(Type.Literal(true)),
        /**
         * Where the value comes from when the caller gives none: a name of `parameter_mapping` that says `secret: false`. Not when the
         * parameter `unless` is given.
         */
        default_from: Type.Optional(Type.Object({ parameter: Name, unless: Type.Optional(Type.String({ minLength: 1 })) }, closed)),
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
  readonly path?: 'read' | 'write';
  readonly follow?: false;
  readonly or_url?: true;
  readonly fixed?: true;
  readonly names_secret?: true;
  readonly default_from?: { readonly parameter: string; readonly unless?: string };
  readonly [constraint: string]: unknown;
}

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

/** The longest time that a timer can wait, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

const RateLimitSchema = Type.Object(
  {
    /** Calls that may start in any span of `per_ms` milliseconds. */
    requests: Type.Optional(Type.Integer({ minimum: 1 })),
    per_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: maxTimerMs })),
    /** Calls that may run at the same time. */
    concurrency: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { ...closed, minProperties: 1, dependentRequired: { requests: ['per_ms'], per_ms: ['requests'] } },
);

/** What a person is told about access: how a tool proves who calls, and which scopes that needs. */
const AuthenticationSchema = Type.Object(
  {
    type: Type.Optional(Type.String()),
    provider: Type.Optional(Type.String()),
    required_scopes: Type.Optional(Type.Array(Type.String())),
  },
  closed,
);

export const ToolDefinitionSchema = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
    description: Type.String({ minLength: 1 }),
    version: Type.Optional(Type.String()),
    parameters: Type.Optional(ParametersSchema),
    /** The parameters as a JSON Schema 2020-12 object, where `parameters` cannot say it (`$ref`, `oneOf`). One of the two. */
    input_schema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** The keys beside these two belong to the execution type, which brings its own schema. */
    execution: Type.Object({ type: Type.String(), timeout_ms: Type.Optional(Type.Integer({ minimum: 1 })) }),
    /** In place of the provider's, key by key. */
    authentication: Type.Optional(AuthenticationSchema),
    output_schema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /**
     * What the caller gets, in place of an error, when the work fails: a JSON value that `output_schema` accepts, with `{code}` and
     * `{message}` of the error. Refusals and cancellations stay errors.
     */
    failure_output: Type.Optional(Type.Unknown()),
    requires_approval: Type.Optional(Type.Union([Type.Boolean(), Type.Record(Type.String(), Type.Unknown())])),
    risk: Type.Optional(RiskSchema),
    retry: Type.Optional(
      Type.Object(
        {
          /** Calls in all, the first included. */
          attempts: Type.Integer({ minimum: 1, maximum: 10 }),
          backoff: Type.Optional(
            Type.Object({ initial_ms: Type.Integer({ minimum: 0 }), maximum_ms: Type.Optional(Type.Integer({ minimum: 0 })) }, closed),
          ),
          /** HTTP status codes; default 429, 500, 502, 503, 504. */
          on: Type.Optional(Type.Array(Type.Integer({ minimum: 400, maximum: 599 }))),
        },
        closed,
      ),
    ),
    /** For http tools: what in a JSON answer means an error, whatever its status says. In place of the provider's. */
    error_when: Type.Optional(ErrorWhenSchema),
    /** For http tools: how one call gets more items than one answer holds. */
    paginate: Type.Optional(PaginateSchema),
    /** The header that carries a value of its own for each call, the same whenever that call is sent again. */
    idempotency: Type.Optional(Type.Object({ header: Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" }) }, closed)),
    /** How long a result may be given again. For tools that only read. */
    cache: Type.Optional(Type.Object({ ttl_ms: Type.Integer({ minimum: 1 }) }, closed)),
    /** Of all callers together. */
    rate_limit: Type.Optional(RateLimitSchema),
    /** Names of secrets that a function receives in its context. */
    secrets: Type.Optional(Type.Array(Type.String({ pattern: '^\\w+$' }))),
    /** In place of what risk, method and approval say. */
    annotations: Type.Optional(AnnotationsSchema),
    examples: Type.Optional(
      Type.Array(
        Type.Object(
          {
            description: Type.Optional(Type.String()),
            parameters: Type.Record(Type.String(), Type.Unknown()),
            output: Type.Optional(Type.Unknown()),
          },
          closed,
        ),
      ),
    ),
    tags: Type.Optional(Type.Array(Type.String())),
  },
  closed,
);

/** A tool definition file. `execution` holds `type`, `timeout_ms` and what the execution type defines. */
export type ToolDefinition = Omit<Static<typeof ToolDefinitionSchema>, 'parameters' | 'execution'> & {
  readonly parameters?: Readonly<Record<string, Parameter>>;
  readonly execution: { readonly type: string; readonly timeout_ms?: number; readonly [key: string]: unknown };
};

const Url = Type.String({ pattern: '^(https?://|\\$\\{\\w+\\})' });

export const ProviderDefinitionSchema = Type.Object(
  {
    provider: Type.Object(
      {
        name: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]*$' }),
        description: Type.Optional(Type.String()),
        documentation_url: Type.Optional(Url),
      },
      closed,
    ),
    /** Prefix of every relative `url` of the provider's http tools. May contain placeholders. */
    base_url: Type.Optional(Type.String({ pattern: '^(https?://|\\{\\w+\\})' })),
    /** How every http tool of the provider proves who calls, unless the tool says something else. */
    auth: Type.Optional(AuthSchema),
    /** Sent with every http tool of the provider; a header of the tool replaces one of the same name. */
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** Default for all http tools of the provider. */
    error_when: Type.Optional(ErrorWhenSchema),
    /** Of all its tools, unless they say something else. */
    authentication: Type.Optional(AuthenticationSchema),
    /** Schemas, parameters and maps of parameters for the `$ref: '#/$defs/name'` of all its tools. A schema stands below their own of that name. */
    $defs: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** Of all tools of the provider together, beside their own. */
    rate_limit: Type.Optional(RateLimitSchema),
    oauth2: Type.Optional(
      Type.Object(
        {
          auth_url: Url,
          token_url: Url,
          revoke_url: Type.Optional(Url),
          scopes: Type.Record(Type.String(), Type.Array(Type.String())),
          redirect_uri: Url,
          approval_prompt: Type.Optional(Type.String()),
          access_type: Type.Optional(Type.String()),
          client_id: Type.Optional(Type.String()),
          client_secret: Type.Optional(Type.String()),
          /** Between the scopes of an authorization URL. Default a space (RFC 6749, 3.3). */
          scope_separator: Type.Optional(Type.String({ minLength: 1 })),
          /** The authorization URL carries a code challenge (RFC 7636). */
          pkce: Type.Optional(Type.Boolean()),
        },
        closed,
      ),
    ),
    parameter_mapping: Type.Optional(
      Type.Array(
        Type.Object(
          {
            parameter: Name,
            env_pattern: Name,
            required: Type.Optional(Type.Boolean()),
            /** A name of this mapping that takes the place of this one where it has a value. */
            unless: Type.Optional(Name),
            /** Where the value is found when nobody has it: the first group of the pattern (ECMA-262) in the value of another name. */
            derive_from: Type.Optional(Type.Object({ parameter: Name, pattern: Type.String({ minLength: 1 }) }, closed)),
            /** False for what may be seen, such as a host or an account id: it is not masked. Default true. */
            secret: Type.Optional(Type.Boolean()),
            description: Type.Optional(Type.String()),
          },
          closed,
        ),
      ),
    ),
  },
  closed,
);

export type ProviderDefinition = Static<typeof ProviderDefinitionSchema>;
