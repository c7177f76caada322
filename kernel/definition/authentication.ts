import Type from 'typebox';

/** What a person is told about access: how a tool proves who calls, and which scopes that needs. */
export const AuthenticationSchema = Type.Object(
  {
    type: Type.Optional(Type.String()),
    provider: Type.Optional(Type.String()),
    required_scopes: Type.Optional(Type.Array(Type.String())),
  },
  { additionalProperties: false, patternProperties: { '^x-': {} } },
);
