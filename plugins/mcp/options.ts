import Type, { type Static } from 'typebox';
import { exposureChoices } from '../shared/exposure/exposure.ts';
import { outputSchemaChoices } from '../shared/exposure/listed-schemas.ts';
import { defaultTransport, type TransportOptions, transportNames, transportOptions } from './transports/index.ts';

const Name = Type.String({ minLength: 1 });

/** Options of every transport. */
const sharedOptions = {
  /** Transport of the server. @default 'stdio' */
  transport: Type.Optional(Type.Enum([...transportNames], { default: defaultTransport })),
  /** Visible tools, by name or with `*`. @default all */
  tools: Type.Optional(Type.Array(Name)),
  /** Tools to exclude from `tools`, by name or with `*`. @default none */
  excludeTools: Type.Optional(Type.Array(Name)),
  /**
   * Tools in the client's list. `all`: every visible tool. `search`: only the tools that find, describe and call the others, and the
   * pinned tools. `auto`: `search` for a client that supports fewer tools than there are, or when the list takes more than 10,000 tokens;
   * `all` for a client that searches tools itself. Every visible tool can be called, listed or not. @default 'all'
   */
  expose: Type.Optional(Type.Enum([...exposureChoices], { default: 'all' })),
  /** Tools that `search` lists in addition, by name or with `*`. @default none */
  pinned: Type.Optional(Type.Array(Name)),
  /**
   * Output schemas in lists, for clients that check results. `compact`: names, types and required members of the top level. `full`: the
   * whole schema of the definition, which costs a client about a second for 250 tools. `none`: no schema. A tool of an MCP server has that server's schema, except with `none`. Results are checked and have
   * `structuredContent` with every choice. @default 'compact'
   */
  outputSchemas: Type.Optional(Type.Enum([...outputSchemaChoices])),
  /**
   * True: lists and searches return only tools whose secrets are available. The other tools can be called by name: the call resolves
   * its secrets again, and its error names a missing one. Clients are notified of a changed list after a reload, and after a call
   * that found a secret. @default false
   */
  onlyAvailable: Type.Optional(Type.Boolean({ mistaken_names: ['available'] })),
  /** Time that running calls have to end when the server stops, in milliseconds. @default 10000 over HTTP, 1000 over stdio */
  drainMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
  /** Maximum number of running requests of one tenant. Further requests are refused (RATE_LIMITED). @default 256 */
  maxRequests: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Maximum number of resource subscriptions of one tenant. Further subscriptions are refused (RATE_LIMITED). @default 1000 */
  maxSubscriptions: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Entries on one page of a list. @default 1000 */
  pageSize: Type.Optional(Type.Integer({ minimum: 1 })),
};

/** Type written out, so that declarations keep the doc comments of the transports' options. */
export const McpOptionsSchema: Type.TObject<typeof sharedOptions & TransportOptions> = Type.Object(
  { ...sharedOptions, ...transportOptions },
  { additionalProperties: false },
);

export type McpOptions = Static<typeof McpOptionsSchema>;
