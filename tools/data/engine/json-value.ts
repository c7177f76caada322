import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBUnionValue,
} from '@duckdb/node-api';

const zoneless = [DuckDBTimestampValue, DuckDBTimestampSecondsValue, DuckDBTimestampMillisecondsValue, DuckDBTimestampNanosecondsValue];

/**
 * Converts a value of the database to JSON without loss: integers past 2^53 and decimals as texts of their digits, dates and
 * times as ISO 8601, bytes as base64, a map as a list of `{key, value}`, NaN and infinity as texts.
 */
export function jsonValue(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(jsonValue);
  if (value instanceof DuckDBStructValue)
    return Object.fromEntries(Object.entries(value.entries).map(([name, member]) => [name, jsonValue(member)]));
  if (value instanceof DuckDBMapValue) return value.entries.map((entry) => ({ key: jsonValue(entry.key), value: jsonValue(entry.value) }));
  if (value instanceof DuckDBUnionValue) return jsonValue(value.value);
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('base64');
  if (value instanceof DuckDBDateValue) return value.isFinite ? String(value) : infinity(value.days);
  if (value instanceof DuckDBTimestampTZValue) return value.isFinite ? instant(value.micros) : infinity(value.micros);
  // ISO 8601 needs a T in "2026-01-31 12:00:00".
  if (zoneless.some((kind) => value instanceof kind)) return String(value).replace(' ', 'T');
  return String(value);
}

function instant(micros: bigint): string {
  const date = new Date(Number(micros / 1000n));
  const rest = ((micros % 1000n) + 1000n) % 1000n;
  return rest === 0n ? date.toISOString() : date.toISOString().replace('Z', `${String(rest).padStart(3, '0')}Z`);
}

function infinity(value: number | bigint): string {
  return value < 0 ? '-infinity' : 'infinity';
}
