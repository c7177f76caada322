/** `npm run bench [compare|search|soak] [-- options]`: runs one of the measurements, on the built program. Without a name, the speed budget. */
import { spawnSync } from 'node:child_process';
import { installPackages } from '../support/install-packages.mjs';

const programs = {
  compare: { file: 'test/bench/compare.ts', install: { folder: 'bench', packages: ['fastmcp@4.20.16', 'zod@4.2.1'] } },
  search: { file: 'test/bench/search/run.ts' },
  soak: { file: 'test/bench/soak/run.ts' },
};

const [name = '', ...more] = process.argv.slice(2);
const named = Object.hasOwn(programs, name) ? programs[name] : undefined;
const { file, install } = named ?? { file: 'test/bench/run.ts' };
if (install !== undefined) installPackages(install);
const args = named === undefined ? process.argv.slice(2) : more;
const { status } = spawnSync(process.execPath, ['--import', 'tsx', file, ...args], { stdio: 'inherit' });
process.exitCode = status ?? 1;
