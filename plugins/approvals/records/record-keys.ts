import { hash, randomBytes } from 'node:crypto';
import { sortableTime } from '../../shared/calls/call-keys.ts';

/** The latest time, in epoch ms, of which an id can be made. */
const latest = 10 ** 15 - 1;

/** Keys of stored approvals. Keys are not encrypted, so they name no caller and no tool. */
export const recordKeys = {
  record: (id: string) => `record/${id}`,
  /** Key of one caller's open records and held refusals. */
  caller: ({ tenant, caller }: Owner) => `caller/${hash('sha256', JSON.stringify([tenant, caller]), 'hex')}`,
  /** Key by which an open record is found when it expires. */
  due: ({ expiresAt, id }: { readonly expiresAt: number; readonly id: string }) => `due/${sortableTime(expiresAt)}/${id}`,
  /** Key of an approved record whose run has not begun. */
  ready: (id: string) => `ready/${id}`,
  /** Key of the last approved call of a caller by tool. */
  last: ({ tenant, caller }: Owner, tool: string) => `last/${hash('sha256', JSON.stringify([tenant, caller, tool]), 'hex')}`,
} as const;

export interface Owner {
  readonly tenant: string;
  readonly caller: string;
}

/** Returns the id of a new record. Ids of later records sort before those of earlier ones. */
export function newRecordId(now: number): string {
  const time = (latest - now).toString(36).padStart(10, '0');
  return `${time}-${randomBytes(5).toString('hex')}`;
}

/** Returns true for a text that can be the id of a record. Any other is no key of the store. */
export function isRecordId(id: unknown): id is string {
  return typeof id === 'string' && /^[0-9a-z]{10}-[0-9a-f]{10}$/.test(id);
}

/** Parses a key of the expiry index. Undefined for any other. */
export function readDueKey(key: string): { readonly expiresAt: number; readonly id: string } | undefined {
  const [, expiresAt, id] = /^due\/(\d{15})\/(.+)$/.exec(key) ?? [];
  return id === undefined ? undefined : { expiresAt: Number(expiresAt), id };
}
