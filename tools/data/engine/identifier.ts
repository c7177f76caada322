import path from 'node:path';

/** Returns a name as SQL writes it, whatever is in it. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Returns a text as SQL writes it. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns the table name for a file that was given none: `orders-2024.csv.gz` is `orders_2024`. */
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
