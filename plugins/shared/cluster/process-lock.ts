/** Returns the condition that a row `lock` of pg_locks is the lock of a process, held. `key`: SQL of its key. */
export function isLockWith(key: string): string {
  return `lock.locktype = 'advisory' and lock.granted and lock.objsubid = 1
  and lock.database = (select oid from pg_database where datname = current_database())
  and (lock.classid::bigint << 32) | lock.objid::bigint = ${key}`;
}
