/**
 * The speed budget, row by row: `npm run bench`, on the built program, on Linux. Figures depend on the machine; ratios, taken in the same run in
 * turns, less so. `npm run bench -- calls starts` measures only these, `-- replicas` what one of several servers
 * costs by its store, which needs PostgreSQL. Ends with 1 where a row is broken.
 */
import { existsSync } from 'node:fs';
import { blocks } from './blocks.ts';
import { calls } from './calls.ts';
import { children } from './children.ts';
import { eras } from './eras.ts';
import { listing } from './listing.ts';
import { lists } from './lists.ts';
import { logger } from './logger.ts';
import { memory } from './memory.ts';
import { native } from './native/rows.ts';
import { overhead } from './overhead.ts';
import { redaction } from './redaction.ts';
import { replicas } from './replicas.ts';
import { lineOf } from './rows.ts';
import { scale } from './scale.ts';
import { search } from './search/rows.ts';
import { sources } from './sources/rows.ts';
import { starts } from './starts.ts';
import { telemetry } from './telemetry/rows.ts';
import { tenServers } from './ten-servers.ts';
import { upstreams } from './upstreams.ts';

const groups = {
  overhead,
  calls,
  children,
  native,
  eras,
  starts,
  memory,
  lists,
  scale,
  sources,
  servers: tenServers,
  blocks,
  search,
  listing,
  upstreams,
  logger,
  telemetry,
  redaction,
  replicas,
};
/** Only where they are named: they need more than this clone. */
const onDemand = ['replicas'];

if (!existsSync('/proc/self/stat'))
  throw new Error('npm run bench reads the processor time of the servers from /proc, which only Linux has.');
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in groups));
if (unknown.length > 0)
  throw new Error(`There is no ${unknown.join(', ')} to measure. Expected some of ${Object.keys(groups).join(', ')}.`);
let broken = 0;
for (const [name, measure] of Object.entries(groups)) {
  if (wanted.length > 0 ? !wanted.includes(name) : onDemand.includes(name)) continue;
  for (const row of await measure()) {
    process.stdout.write(lineOf(row));
    if (!row.isKept) broken++;
  }
}
process.stdout.write(broken === 0 ? 'Every row is kept.\n' : `${broken} ${broken === 1 ? 'row is' : 'rows are'} broken.\n`);
process.exitCode = broken === 0 ? 0 : 1;
