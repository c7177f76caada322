import { execFileSync } from 'node:child_process';
import type { Random } from '../support/random.ts';
import { writeFiles } from '../support/temporary.ts';
import { runJob } from './run-job.ts';

/** Log files, lines with an error in all of them, and characters of such a line, about. */
const files = 46;
const errors = 2170;
const lineLength = 272;

/** Other lines for each with an error. */
const otherLines = 4;

/** Hours (such as 2026-03-01 05) with the number of errors in them. */
type Counts = readonly (readonly [string, number])[];

runJob<Counts>({
  number: 1,
  title: `error counts per hour over ${files} logs`,
  maxTokens: 4000,
  async prepare(folder, random) {
    const logs: string[][] = Array.from({ length: files }, () => []);
    for (let index = 0; index < errors; index++) {
      const log = random.oneOf(logs);
      log.push(line(random, 'ERROR'));
      for (let other = 0; other < otherLines; other++) log.push(line(random, random.oneOf(['INFO', 'WARN', 'DEBUG'])));
    }
    const named = logs.map((lines, index) => [`logs/node-${String(index).padStart(2, '0')}.log`, `${lines.sort().join('\n')}\n`]);
    await writeFiles(folder, Object.fromEntries(named));
  },
  async steps(client) {
    const query = await client.tool('data_query', 'count the lines of log files by hour');
    const logs = [{ path: 'logs', pattern: '*.log' }];
    await query.call({ sql: 'SELECT line FROM logs LIMIT 3', files: logs });
    const { rows } = await query.call<{ rows: Counts }>({
      sql: "SELECT line[1:13] AS hour, count(*) AS errors FROM logs WHERE split_part(line, ' ', 3) = 'ERROR' GROUP BY hour ORDER BY hour",
      files: logs,
    });
    return rows;
  },
  expected: (folder) =>
    execFileSync('sh', ['-c', 'cat logs/*.log | awk \'$3 == "ERROR"\' | cut -c 1-13 | LC_ALL=C sort | uniq -c'], {
      cwd: folder,
      encoding: 'utf8',
    })
      .trimEnd()
      .split('\n')
      .map((row) => [row.slice(-13), Number.parseInt(row, 10)]),
});

/** The word ERROR is also in messages of other lines. */
function line(random: Random, level: string): string {
  const two = (limit: number): string => String(random.below(limit)).padStart(2, '0');
  const at = `2026-03-0${random.between(1, 2)} ${two(24)}:${two(60)}:${two(60)},${String(random.below(1000)).padStart(3, '0')}`;
  const words = ['block', 'pipeline', 'ERROR', 'replica', 'timeout', 'lease', 'heartbeat', 'socket', 'retry'];
  let text = `${at} ${level} [worker-${random.below(64)}]`;
  while (text.length < lineLength - 10) text += ` ${random.oneOf(words)}=${random.below(1e6)}`;
  return text;
}
