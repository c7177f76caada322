import Type from 'typebox';

/** A description of the access for people: the authentication method and the scopes. */
export const AuthenticationSchema = Type.Object(
  {
    /** The authentication method, such as `oauth2` or `api_key`. Only a description: `auth` and headers send the credential. */
    type: Type.Optional(Type.String()),
    /** The issuer of the credential. */
    provider: Type.Optional(Type.String()),
    /** Scopes that the credential must have. Named in the error when a service reports a missing scope. */
    required_scopes: Type.Optional(Type.Array(Type.String())),
  },
  { additionalProperties: false, patternProperties: { '^x-': {} } },
);
