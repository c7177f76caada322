/** The names that scripts of package.json had before, each with the command that took its place. An argument of the old one follows the new one. */
const build = (step) => `node plugins/toolkit/build.mjs ${step}`;
const suite = (names) => `npm run -s test:suite ${names} --`;

/** Each of these is now the suite of that name. */
const sameName = [
  'attacks',
  'apiclient',
  'busybox',
  'clients',
  'cluster',
  'commands',
  'conformance',
  'core',
  'deviations',
  'docker',
  'durable',
  'git',
  'inspector',
  'jobs',
  'once',
  'packs',
  'postgres',
  'python',
  'replicas',
  'rolling',
  'sandbox',
  'site',
  'soak',
  'store',
  'vendors',
];

/** Each of these is now the long round of the suite of that name. */
const wholeRound = ['answered', 'fuzz', 'integers', 'sessions', 'sizes', 'trail'];

/** @type {Readonly<Record<string, string>>} */
export const oldScripts = {
  ...Object.fromEntries(
    ['program', 'code', 'code-cache', 'packs', 'assets', 'manifests', 'schemas', 'types'].map((step) => [`build:${step}`, build(step)]),
  ),
  ...Object.fromEntries(sameName.map((name) => [`test:${name}`, suite(name)])),
  ...Object.fromEntries(wholeRound.map((name) => [`test:${name}`, suite(`${name}:whole`)])),
  'test:core:all': suite('core'),
  'test:core:whole': suite('core:whole'),
  'test:fuzz:short': suite('fuzz'),
  'test:git:whole': suite('git:whole'),
  'test:rest': 'npm run -s test:e2e --',
  'test:sizes:short': suite('sizes'),
  'test:suites': suite('grouped'),
  'bench:compare': 'npm run -s bench compare --',
  'bench:search': 'npm run -s bench search --',
  soak: 'npm run -s bench soak --',
};
