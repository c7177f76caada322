import path from 'node:path';

/** Quotes a name for SQL. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes a text for SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns the default table name of a file: `orders-2024.csv.gz` is `orders_2024`. */
export function tableNameOf(file: string): string {
  const stem = path
    .basename(file)
    .replace(/\.gz$/i, '')
    .replace(/\.[^.]*$/, '');
  const name = stem
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase();
  return /^[\p{L}]/u.test(name) ? name : `t_${name}`.replace(/_$/, '');
}
