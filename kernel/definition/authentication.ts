import Type from 'typebox';

/** What a person is told about access: how a tool proves who calls, and which scopes that needs. */
export const AuthenticationSchema = Type.Object(
  {
    /** How the tool proves who calls, such as `oauth2` or `api_key`: for people; `auth` and headers do it. */
    type: Type.Optional(Type.String()),
    /** Whose credentials these are. */
    provider: Type.Optional(Type.String()),
    /** Scopes that the credential must have; said where a service answers that one is missing. */
    required_scopes: Type.Optional(Type.Array(Type.String())),
  },
  { additionalProperties: false, patternProperties: { '^x-': {} } },
);
