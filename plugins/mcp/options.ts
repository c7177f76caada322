import Type, { type Static } from 'typebox';
import { exposureChoices } from '../shared/exposure/exposure.ts';
import { outputSchemaChoices } from '../shared/exposure/listed-schemas.ts';
import { type TransportOptions, transportNames, transportOptions } from './transports/index.ts';

const Name = Type.String({ minLength: 1 });

/** What means the same over every transport. */
const sharedOptions = {
  /** @default 'stdio' */
  transport: Type.Optional(Type.Enum([...transportNames])),
  /** Tools to offer, by name or with `*`. @default all */
  tools: Type.Optional(Type.Array(Name)),
  /** Tools to leave out of those, by name or with `*`. @default none */
  excludeTools: Type.Optional(Type.Array(Name)),
  /**
   * Which of those a client is listed. `all`: every tool. `search`: tools to find, describe and call the others with, and what is pinned. `auto`:
   * `search` for a client that takes fewer tools than there are, or where the list takes more than 10,000 tokens; `all` for one that searches
   * tools itself. Every tool that is offered can be called, listed or not. @default 'all'
   */
  expose: Type.Optional(Type.Enum([...exposureChoices])),
  /** Tools that `search` lists as well, by name or with `*`. @default none */
  pinned: Type.Optional(Type.Array(Name)),
  /**
   * What lists say of results, for clients that check them. `compact`: names, types and which are required, of the top level only. `full`: all
   * that the definition says, which takes a client a second of work for 250 tools. `none`: nothing. Results are checked, and have
   * `structuredContent`, either way. @default 'compact'
   */
  outputSchemas: Type.Optional(Type.Enum([...outputSchemaChoices])),
  /**
   * Lists and finds only tools whose secrets the chain has. The others can be called by name: the chain is asked again, and a call that still
   * lacks one says which. After a reload, and after a call that found a secret, clients hear of a list that is another one. @default false
   */
  available: Type.Optional(Type.Boolean()),
  /** How long running calls may take to end when the server stops, in milliseconds. @default 10000 over HTTP, 1000 over stdio */
  drainMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
  /** Requests of one tenant that run at the same time; more are refused (RATE_LIMITED). @default 256 */
  maxRequests: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Subscriptions to resources that one tenant has at the same time; more are refused (RATE_LIMITED). @default 1000 */
  maxSubscriptions: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Entries on one page of a list. @default 1000 */
  pageSize: Type.Optional(Type.Integer({ minimum: 1 })),
};

/** The type is written out so that declarations keep the doc comments of the transports' options. */
export const McpOptionsSchema: Type.TObject<typeof sharedOptions & TransportOptions> = Type.Object(
  { ...sharedOptions, ...transportOptions },
  { additionalProperties: false },
);

export type McpOptions = Static<typeof McpOptionsSchema>;
