import type { TSchema } from 'typebox';
import Type from 'typebox';
import { isPlainObject } from '../../../../kernel/index.ts';
import type { Parameters } from '../../../shared/json-rpc/message.ts';
import type { Connection } from '../clients/connection.ts';
import type { Exchange } from '../clients/exchange.ts';
import type { Revision } from '../revisions.ts';

/** A request of the protocol: its parameters and its handler. */
export interface Method<Params = Parameters> {
  /** Schema of the parameters. A request with others gets -32602. */
  readonly params: TSchema;
  /** Returns true for parameters that certainly match the schema, without its compiler. For the first and the most frequent requests. */
  readonly fits?: (params: Parameters) => boolean;
  /** Returns true for the revisions that have this method. @default all have it */
  readonly isIn?: (revision: Revision) => boolean;
  /** False: the request does not count against the tenant's limit of running requests. @default true */
  readonly isCounted?: false;
  /** True: its response may contain questions to the client. @default false */
  readonly mayAsk?: true;
  /** Returns the cache rules of its result, for revisions that have caching. @default none */
  readonly caching?: (connection: Connection) => Caching;
  /** Returns the result. Throws RpcError; any other error reaches the client as an internal error. */
  answer(connection: Connection, params: Params, exchange: Exchange): object | Promise<object>;
}

/** Time that a client may cache a result, in milliseconds, and who may share it (MCP 2026-07-28, Base Protocol, Caching). */
export interface Caching {
  readonly ttlMs: number;
  readonly cacheScope: 'public' | 'private';
}

/** Time that a client may cache a list, in milliseconds. A client that subscribes learns of a change at once. */
const listTtlMs = 60_000;

/** Returns the cache rules of a list. A list that depends on the client is private to that client. */
export function listCaching({ hasOwnLists }: Connection): Caching {
  return { ttlMs: listTtlMs, cacheScope: hasOwnLists ? 'private' : 'public' };
}

/** Cache rules of what may change at any time. */
export const uncached = (): Caching => ({ ttlMs: 0, cacheScope: 'private' });

/** Returns a method whose handler gets the parameters of its schema. */
export function method<Schema extends TSchema>(definition: Method<Type.Static<Schema>> & { readonly params: Schema }): Method {
  return definition as Method;
}

const Meta = Type.Object({ progressToken: Type.Optional(Type.Union([Type.String(), Type.Integer()])) });

/** Returns true for metadata that matches `Meta`, without the schema's compiler. */
export function isMeta(meta: unknown): boolean {
  if (meta === undefined) return true;
  if (!isPlainObject(meta)) return false;
  const { progressToken: token } = meta;
  return token === undefined || typeof token === 'string' || Number.isInteger(token);
}

/** Returns the schema of a method's parameters. Unknown members are allowed, as in the protocol. */
export function paramsOf<Members extends Type.TProperties>(
  members: Members,
): Type.TObject<Members & { _meta: Type.TOptional<typeof Meta> }> {
  return Type.Object({ ...members, _meta: Type.Optional(Meta) });
}

/** Texts by name. A `Type.Record` would not check names with a line break. */
export const Texts = Type.Unsafe<Readonly<Record<string, string>>>(Type.Object({}, { additionalProperties: Type.String() }));

/** Parameters of a list that comes in pages. */
export const ListParams = paramsOf({ cursor: Type.Optional(Type.String()) });
