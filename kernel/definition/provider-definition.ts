import Type, { type Static } from 'typebox';
import { AuthenticationSchema } from './authentication.ts';

const closed = { additionalProperties: false, patternProperties: { '^x-': {} } } as const;

const Name = Type.String({ pattern: '^\\w+$' });
const Url = Type.String({ pattern: '^(https?://|\\$\\{\\w+\\})' });

export const ProviderDefinitionSchema = Type.Object(
  {
    /** The service that the tools in this folder, and below it, call. */
    provider: Type.Object(
      {
        /** What its tools and secrets are named after. */
        name: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]*$' }),
        /** What the service is, for people and models. */
        description: Type.Optional(Type.String()),
        /** Where people read how to get a credential. */
        documentation_url: Type.Optional(Url),
      },
      closed,
    ),
    /** Prefix of every relative `url` of the provider's http tools. May contain placeholders. */
    base_url: Type.Optional(Type.String({ pattern: '^(https?://|\\{\\w+\\})' })),
    /** Sent with every http tool of the provider; a header of the tool replaces one of the same name. */
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** Of all its tools, unless they say something else. */
    authentication: Type.Optional(AuthenticationSchema),
    /** Schemas, parameters and maps of parameters for the `$ref: '#/$defs/name'` of all its tools. A schema stands below their own of that name. */
    $defs: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** How people get an access token (RFC 6749), for programs that ask them. */
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
    /** Values that the service supplies in place of callers, such as tokens, account ids and hosts. */
    parameter_mapping: Type.Optional(
      Type.Array(
        Type.Object(
          {
            /** The placeholder or parameter that gets the value. */
            parameter: Name,
            /** The name under which secret stores and the environment have it. */
            env_pattern: Name,
            /** Whether tools that use it cannot run without. @default true */
            required: Type.Optional(Type.Boolean()),
            /** A name of this mapping that takes the place of this one where it has a value. */
            unless: Type.Optional(Name),
            /** Where the value is found when nobody has it: the first group of the pattern (ECMA-262) in the value of another name. */
            derive_from: Type.Optional(Type.Object({ parameter: Name, pattern: Type.String({ minLength: 1 }) }, closed)),
            /** The value where nobody has one, such as a region. Only of what is not secret. */
            default: Type.Optional(Type.String({ minLength: 1 })),
            /** The values that there may be. Only of what is not secret. */
            enum: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
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
