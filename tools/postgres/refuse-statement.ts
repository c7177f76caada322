import type { SqlCall } from './context.ts';
import { Failure } from './failure.ts';

const noTransactions =
  'Each call is a transaction of its own, and several calls cannot share one. Put what belongs together into one statement, such as WITH … INSERT …';

/** First words of statements that would end the transaction of the call, or have no effect in it. */
const neverAllowed: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['ABORT', 'BEGIN', 'COMMIT', 'END', 'RELEASE', 'ROLLBACK', 'SAVEPOINT', 'START', 'PREPARE TRANSACTION'].map((word) => [
      word,
      noTransactions,
    ]),
  ),
  LISTEN: 'Notifications cannot be received here. Ask for the state with SELECT',
};

/**
 * First words of statements that the server allows in a read-only transaction although they may do more than read (its source,
 * ClassifyUtilityCommandAsReadOnly). Only the rights of the role can limit the effects of functions outside the transaction.
 */
const onlyForWriting: Readonly<Record<string, string>> = {
  ANALYZE: 'It changes statistics, also when it is rolled back',
  CALL: 'The code of a procedure can write files and start programs on the server',
  CHECKPOINT: 'It makes the server write',
  CLUSTER: 'It rewrites tables and locks everybody else out',
  COPY: 'It can write files and start programs on the server',
  DO: 'Its code can write files and start programs on the server',
  LOAD: 'It runs a library on the server',
  LOCK: 'It locks others out',
  NOTIFY: 'It sends a message',
  REINDEX: 'It rewrites indexes and locks everybody else out',
};

/** Refuses statements that must not reach the server. The server itself refuses several statements at once. Throws BAD_REQUEST. */
export function refuseStatement({ sql, read_only: isReadOnly }: Pick<SqlCall, 'sql' | 'read_only'>): void {
  // NUL ends a text in the protocol.
  if (sql.includes('\0')) throw new Failure('BAD_REQUEST', 'sql has a NUL character, which PostgreSQL does not allow. Take it out.');
  const [first = '', second = ''] = firstWords(sql);
  for (const word of [first, `${first} ${second}`]) {
    const reason = neverAllowed[word];
    if (reason !== undefined) throw new Failure('BAD_REQUEST', `${word} is not possible here. ${reason}.`);
  }
  const reason = isReadOnly ? onlyForWriting[first] : undefined;
  if (reason !== undefined)
    throw new Failure('BAD_REQUEST', `${first} is not possible in a read-only call. ${reason}: that needs read_only: false, and approval.`);
}

/**
 * Returns the first two words in upper case, after the text that PostgreSQL skips: white space, semicolons and comments, which nest
 * (documentation, 4.1.5).
 */
function firstWords(sql: string): string[] {
  const words: string[] = [];
  let rest = sql;
  while (words.length < 2) {
    rest = withoutGap(rest);
    const word = /^[a-z_]\w*/i.exec(rest)?.[0];
    if (word === undefined) break;
    words.push(word.toUpperCase());
    rest = rest.slice(word.length);
  }
  return words;
}

function withoutGap(sql: string): string {
  let rest = sql;
  for (;;) {
    rest = rest.replace(/^(?:[\s;]+|--[^\r\n]*)+/, '');
    if (!rest.startsWith('/*')) return rest;
    rest = withoutComment(rest);
  }
}

function withoutComment(sql: string): string {
  let depth = 0;
  for (const { 0: mark, index } of sql.matchAll(/\/\*|\*\//g)) {
    depth += mark === '/*' ? 1 : -1;
    if (depth === 0) return sql.slice(index + 2);
  }
  return '';
}
