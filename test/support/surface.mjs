// Records the surface of a built program, so that two versions can be compared with `diff -r`:
//   node test/support/surface.mjs <tree with dist/> <folder for the record>
// It holds the help of every command, the report of the doctor on five configurations and on a wrong start, the self-description of a setup
// that asks nothing, and the files of `toolkit new`. Paths, ports, times and tokens are replaced.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const [tree, into] = process.argv.slice(2).map((word) => path.resolve(word));
if (into === undefined) throw new Error('Expected two folders: the tree with dist/, and the folder for the record.');
const scratch = mkdtempSync(path.join(tmpdir(), 'surface-'));
const main = path.join(tree, 'dist', 'plugins', 'toolkit', 'main.js');
rmSync(into, { recursive: true, force: true });
mkdirSync(into, { recursive: true });

/** Runs the program to its end, with an empty home folder, and returns all that it prints. */
function run(args, cwd) {
  const home = path.join(scratch, 'home');
  mkdirSync(home, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: '1', XDG_STATE_HOME: home, XDG_CACHE_HOME: home, XDG_CONFIG_HOME: home };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [main, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const texts = { out: '', err: '' };
    child.stdout.on('data', (part) => (texts.out += part));
    child.stderr.on('data', (part) => (texts.err += part));
    child.on('close', (code) => resolve(`${normal(texts.out)}--- error\n${normal(texts.err)}--- exit ${code}\n`));
  });
}

function normal(text) {
  return text
    .replaceAll(scratch, '<scratch>')
    .replaceAll(tree, '<tree>')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?Z?)?/g, '<time>')
    .replace(/[0-9a-f]{32}\.json/g, '<hash>.json')
    .replace(/in \d+ ms/g, 'in <n> ms')
    .replace(/"durationMs": \d+/g, '"durationMs": 0');
}

/** Jobs run four at a time. */
const jobs = [];
const record = (name, args, cwd = scratch) => jobs.push(async () => writeFileSync(path.join(into, name), await run(args, cwd)));

const help = await run(['--help'], scratch);
writeFileSync(path.join(into, 'help.txt'), help);
const words = (text) => [...text.matchAll(/^ {2}([a-z][a-z-]*)(?: .*)?$/gm)].map(([, word]) => word);
const commandsOf = (text) => words(text.split(/^Commands:$/m)[1]?.split(/^\S/m)[0] ?? '').filter((word) => word !== 'help');
for (const name of commandsOf(help)) {
  const text = await run([name, '--help'], scratch);
  writeFileSync(path.join(into, `help-${name}.txt`), text);
  for (const sub of commandsOf(text)) record(`help-${name}-${sub}.txt`, [name, sub, '--help']);
}

const configs = path.join(tree, 'fixtures', 'configs');
for (const name of ['json', 'yaml', 'ts', 'js', 'conformance', 'broken']) {
  const folder = path.join(scratch, name);
  cpSync(path.join(configs, name), folder, { recursive: true });
  mkdirSync(path.join(folder, 'node_modules', '@toolkit'), { recursive: true });
  symlinkSync(tree, path.join(folder, 'node_modules', 'toolkit'));
  symlinkSync(tree, path.join(folder, 'node_modules', '@toolkit', 'core'));
  record(`doctor-${name}.txt`, ['doctor', '--json', ...(name === 'broken' ? ['--config', 'level.json'] : [])], folder);
}
// One configuration that gives every option the doctor looks at.
const full = path.join(scratch, 'full');
mkdirSync(path.join(full, 'empty'), { recursive: true });
writeFileSync(path.join(full, 'package.json'), '{ "name": "full", "private": true }');
writeFileSync(path.join(full, '.env'), 'A=1\n', { mode: 0o644 });
writeFileSync(path.join(full, 'more.env'), 'A=1\n', { mode: 0o644 });
const plugins = [
  {
    use: 'toolkit/standard',
    options: { toolPaths: ['empty'], skillPaths: ['empty'], roots: ['gone'], sandbox: { program: '/gone/bwrap' } },
  },
  { use: 'toolkit/plugins/mcp', options: { port: 1, host: '127.0.0.9', selfSigned: true, excludeTools: ['git_*'], onlyAvailable: true } },
  { use: 'toolkit/plugins/executor-function', options: { python: 'gone-python' } },
  { use: 'toolkit/plugins/secrets-dotenv', options: { path: 'more.env' } },
  { use: 'toolkit/plugins/audit-trail', options: { path: '/proc/gone/trail' } },
  { use: 'toolkit/plugins/approval-gate', options: { mode: 'elicit' } },
  { use: 'toolkit/plugins/store-libsql', options: {} },
];
const write = (name, list) => writeFileSync(path.join(full, name), JSON.stringify({ plugins: list }));
const toEntries = (list) => list.map(({ use, options }) => [use, options]);
write('toolkit.config.json', toEntries(plugins));
write('person.json', toEntries([{ use: 'toolkit/standard', options: { policyConfig: { enableHITL: true } } }]));
write(
  'filter.json',
  toEntries([
    { use: 'toolkit/standard', options: {} },
    { use: 'toolkit/plugins/mcp', options: { tools: ['gone_*', 'gone'] } },
  ]),
);
write('bare.json', []);
record('doctor-full.txt', ['doctor', '--json'], full);
for (const name of ['person', 'filter', 'bare']) record(`doctor-${name}.txt`, ['doctor', '--json', '--config', `${name}.json`], full);
record('doctor-text.txt', ['doctor']);
record('doctor-none.txt', ['doctor', '--json']);

for (const [name, args] of Object.entries({
  plain: [],
  json: ['--json'],
  http: ['--transport', 'http', '--json'],
  write: ['--client', 'cursor', '--write', '--project-file'],
})) {
  const folder = path.join(scratch, `setup-${name}`);
  mkdirSync(folder);
  record(`setup-${name}.txt`, ['mcp', 'setup', '--no-test', ...args], folder);
}
record('setup-test.txt', ['mcp', 'setup', '--client', 'generic', '--providers', 'none-such']);
record('plugins.txt', ['plugins', '--json']);
record('secrets.txt', ['secrets', 'check', '--json']);
record('wrong-flags.txt', ['mcp', '--port', '1']);
record('wrong-resolver.txt', ['mcp', '--secrets', 'valt']);
record('wrong-env-file.txt', ['mcp', '--vault-path', 'x']);
record('wrong-transport.txt', ['mcp', '-t', 'carrier']);
record('wrong-plugin.txt', ['mcp', '--approval', 'elicit', '--config', 'bare.json'], full);
record('wrong-https.txt', ['mcp', '-t', 'http', '--https']);
record('pending.txt', ['tools', 'pending']);
record('calls.txt', ['calls', 'list']);
record('worker.txt', ['worker']);
const made = path.join(scratch, 'made');
mkdirSync(made);
writeFileSync(path.join(made, 'package.json'), '{ "name": "made", "private": true }');
for (const [name, args] of Object.entries({
  tool: ['tool', 'shop_get_order'],
  http: ['tool', 'shop_list_orders', '--type', 'http'],
  provider: ['provider', 'bakery'],
  plugin: ['plugin', 'office-hours'],
}))
  writeFileSync(path.join(into, `new-${name}.txt`), await run(['new', ...args], made));

while (jobs.length > 0) await Promise.all(jobs.splice(0, 4).map((job) => job()));
for (const file of readdirSync(made, { recursive: true, encoding: 'utf8' }))
  if (statSync(path.join(made, file)).isFile())
    writeFileSync(path.join(into, `made-${file.replaceAll(path.sep, '~')}`), normal(readFileSync(path.join(made, file), 'utf8')));
rmSync(scratch, { recursive: true, force: true });
