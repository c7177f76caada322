/** The clock of the database, because clocks of machines differ. */
const now = 'clock_timestamp()';
/** The same time in every part of a statement: a window must not end between two of them. */
const statementTime = 'statement_timestamp()';
const isNotExpired = `(expires_at is null or expires_at > ${now})`;
/** Returns the time that is this many milliseconds later; null for null. */
const timeAfter = (parameter: string, from = now): string => `${from} + ${parameter}::double precision * interval '1 ms'`;

const upsert = `on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`;

/**
 * Adds further changes, made only when the statement returns a row. They take four parameters from `first` on: keys, values and lifetimes to
 * set, and keys to delete.
 */
function withFurtherChanges(statement: string, first: number): string {
  const [keys, values, times, deleted] = [0, 1, 2, 3].map((index) => `$${first + index}`);
  return `with mine as (${statement}),
    more as (insert into toolkit_entries
      select key, value, ${timeAfter('time')}
      from unnest(${keys}::text[], ${values}::bytea[], ${times}::double precision[]) as change (key, value, time)
      where exists (select from mine)
      ${upsert}),
    less as (delete from toolkit_entries where key = any (${deleted}::text[]) and exists (select from mine))
    select key from mine`;
}

/** Conditional changes of one key. */
const changes = {
  add: `insert into toolkit_entries as entry values ($1, $2, ${timeAfter('$3')})
    ${upsert} where entry.expires_at <= ${now} returning key`,
  replace: `update toolkit_entries set value = $2, expires_at = ${timeAfter('$3')} where key = $1 and value = $4 and ${isNotExpired} returning key`,
  remove: `delete from toolkit_entries where key = $1 and value = $2 and ${isNotExpired} returning key`,
};

export const sql = {
  ...changes,
  addAndMore: withFurtherChanges(changes.add, 4),
  replaceAndMore: withFurtherChanges(changes.replace, 5),
  removeAndMore: withFurtherChanges(changes.remove, 3),
  get: `select value from toolkit_entries where key = $1 and ${isNotExpired}`,
  set: `insert into toolkit_entries values ($1, $2, ${timeAfter('$3')}) ${upsert}`,
  delete: `with entry as (delete from toolkit_entries where key = $1 returning ${isNotExpired} as was),
    counted as (delete from toolkit_counts where key = $1 returning ends_at > ${now} as was)
    select was from entry union all select was from counted`,
  list: `select key, value from toolkit_entries where key > $1 and key >= $2 and key < $3 and ${isNotExpired} order by key limit $4`,
  keys: `select key from toolkit_entries where key >= $1 and key < $2 and ${isNotExpired}`,
  increment: `insert into toolkit_counts as counted values ($1, $2 <= $4::bigint, case when $2 <= $4::bigint then $2::bigint else 0 end, ${timeAfter('$3', statementTime)})
    on conflict (key) do update set
      is_counted = case when counted.ends_at > ${statementTime} then counted.count else 0 end + $2 <= $4::bigint,
      count = case when counted.ends_at > ${statementTime} then counted.count else 0 end
        + case when case when counted.ends_at > ${statementTime} then counted.count else 0 end + $2 <= $4::bigint then $2::bigint else 0 end,
      ends_at = case when counted.ends_at > ${statementTime} then counted.ends_at else ${timeAfter('$3', statementTime)} end
    returning is_counted, count, greatest(0, extract(epoch from ends_at - ${now}) * 1000) as ends_in`,
  tell: `select pg_notify(channel, key) from unnest($1::text[], $2::text[]) as told (channel, key)`,
};

export type StatementName = keyof typeof sql;

/** Statements that may run twice: those that only read, and notifications, of which one more does no harm. */
export const repeatable: ReadonlySet<StatementName> = new Set<StatementName>(['get', 'list', 'keys', 'tell']);

/** Changes that have a variant with further changes. */
export type ChangeName = keyof typeof changes;

/** Delete expired rows, which no other statement returns. */
export const sweepStatements = [
  `delete from toolkit_entries where key in (select key from toolkit_entries where expires_at <= ${now} limit 10000 for update skip locked)`,
  `delete from toolkit_counts where key in (select key from toolkit_counts where ends_at <= ${now} limit 10000 for update skip locked)`,
];
