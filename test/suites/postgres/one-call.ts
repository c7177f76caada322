import { runSql, sqlToolkit } from '../../tools/postgres/database.ts';

/** One call, and no close. When nothing keeps the process alive any more, it says so, and ends when its input does. */
const toolkit = await sqlToolkit({ POSTGRES_URL: process.env['POSTGRES_URL'] ?? '' });
const { rows } = await runSql(toolkit, 'SELECT 1 AS one');
process.stdout.write(`${JSON.stringify(rows)}\n`);
process.once('beforeExit', () => {
  process.stdout.write('nothing left to do\n');
  process.stdin.resume();
});
