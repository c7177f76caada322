import Type, { type Static } from 'typebox';
import { AuthenticationSchema } from './authentication.ts';
import { OAuth2Schema } from './oauth2.ts';

const closed = { additionalProperties: false, patternProperties: { '^x-': {} } } as const;

const Name = Type.String({ pattern: '^\\w+$' });
const Url = Type.String({ pattern: '^(https?://|\\$\\{\\w+\\})' });

export const ProviderDefinitionSchema = Type.Object(
  {
    /** The service that the tools in this folder, and below it, call. */
    provider: Type.Object(
      {
        /** The name of the provider, the prefix of its tools and secrets. */
        name: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]*$' }),
        /** A description of the service, for people and models. */
        description: Type.Optional(Type.String()),
        /** A page that explains how to get a credential. */
        documentation_url: Type.Optional(Url),
      },
      closed,
    ),
    /** Prefix of every relative `url` of the provider's http tools. May contain placeholders. */
    base_url: Type.Optional(Type.String({ pattern: '^(https?://|\\{\\w+\\})' })),
    /** Headers of every request of the provider's http tools. A header of the tool replaces one of the same name. */
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** The authentication of all its tools, unless a tool has its own. */
    authentication: Type.Optional(AuthenticationSchema),
    /** Shared schemas, parameters and maps of parameters for `$ref: '#/$defs/name'`. A tool's own `$defs` take precedence. */
    $defs: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** The OAuth 2.0 client at the service (RFC 6749), for a login that supplies access tokens. */
    oauth2: Type.Optional(OAuth2Schema),
    /** Values that the service supplies instead of the caller, such as tokens, account ids and hosts. */
    parameter_mapping: Type.Optional(
      Type.Array(
        Type.Object(
          {
            /** The placeholder or parameter that gets the value. */
            parameter: Name,
            /** Name of the value in secret stores and the environment. */
            env_pattern: Name,
            /** True when its tools cannot run without the value. @default true */
            required: Type.Optional(Type.Boolean()),
            /** A name of this mapping that replaces this one when it has a value. */
            unless: Type.Optional(Name),
            /** The source of a missing value: the first group of the pattern (ECMA-262) in the value of another name. */
            derive_from: Type.Optional(Type.Object({ parameter: Name, pattern: Type.String({ minLength: 1 }) }, closed)),
            /** The value if there is no other, such as a region. Not for secrets. */
            default: Type.Optional(Type.String({ minLength: 1 })),
            /** The allowed values. Not for secrets. */
            enum: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
            /** False for a value that may be shown, such as a host or an account id: it is not masked. @default true */
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
