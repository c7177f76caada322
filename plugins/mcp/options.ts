import Type, { type Static } from 'typebox';
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
