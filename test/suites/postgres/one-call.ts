import { runSql, sqlToolkit } from '../../tools/postgres/database.ts';

/** One call, and no close: the process ends when nothing keeps it. */
const toolkit = await sqlToolkit({ POSTGRES_URL: process.env['POSTGRES_URL'] ?? '' });
const { rows } = await runSql(toolkit, 'SELECT 1 AS one');
process.stdout.write(`${JSON.stringify(rows)}\n`);
