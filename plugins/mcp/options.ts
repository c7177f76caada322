import Type, { type Static } from 'typebox';

export const McpOptionsSchema = Type.Object(
  {
    /** @default 'stdio' */
    transport: Type.Optional(Type.Enum(['stdio', 'http'])),
    /** HTTP port; 0 takes a free one. @default 3000 */
    port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
    /** Address to bind. @default '127.0.0.1' */
    host: Type.Optional(Type.String({ minLength: 1 })),
    /** Tools to offer, by name or with `*`. @default all */
    tools: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Tools to leave out of those, by name or with `*`. @default none */
    excludeTools: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Bearer token for HTTP. @default TOOLKIT_MCP_TOKEN, else a UUID that is printed once */
    mcpToken: Type.Optional(Type.String({ minLength: 1 })),
    /** Host names, beside loopback, that a request may name in its Host header. */
    allowedHosts: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Origins, such as `https://app.example`, that a browser may send. @default none */
    allowedOrigins: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
  },
  { additionalProperties: false },
);

export type McpOptions = Static<typeof McpOptionsSchema>;
