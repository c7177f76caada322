import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { start } from '../../e2e/program.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { serverFile } from './kernel-with.ts';

const planted = 'planted-5ecret-Ab12Cd34Ef56';

/** A server that notes its command line and that of its parent. */
const watched = `import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('seen', { recursive: true });
for (const [name, pid] of [['child', process.pid], ['parent', process.ppid]])
  writeFileSync('seen/' + name, execFileSync('ps', ['-o', 'args=', '-p', String(pid)]));
await import(${JSON.stringify(pathToFileURL(serverFile('plain')).href)});
`;

const stdio = (more: object = {}) => ({
  command: process.execPath,
  args: ['./watched.mjs'],
  env: { SHOP_TOKEN: planted, WHO: 'x' },
  ...more,
});

interface Row {
  readonly args: readonly string[];
  readonly file?: { readonly name: string; readonly content: object };
  /** True when the command must take nothing. @default false */
  readonly isRefused?: boolean;
  /** True when the secret is in the command line that a person types. @default false */
  readonly isTyped?: boolean;
}

const imported = (name: string, content: object): Row => ({ args: ['import', name, '--yes'], file: { name, content } });
const added = (...args: readonly string[]): Row => ({ args: ['add', 'shop', ...args, '--yes'], isTyped: true });
const program = ['--command', process.execPath, '--arg', './watched.mjs'];

const rows: Readonly<Record<string, Row>> = {
  '--env': added(...program, '--env', `SHOP_TOKEN=${planted}`),
  '--env, under a plain name': added(...program, '--env', `SETTING=ghp_${planted}`),
  '--header': added('--url', 'http://127.0.0.1:9/mcp', '--header', `Authorization: Bearer ${planted}`),
  '--header, under its own name': added('--url', 'http://127.0.0.1:9/mcp', '--header', `X-Shop: ${planted}`),
  'the query of an address': { ...added('--url', `http://127.0.0.1:9/mcp?api_key=${planted}`), isRefused: true },
  'the user information of an address': { ...added('--url', `http://ada:${planted}@127.0.0.1:9/mcp`), isRefused: true },
  'claude_desktop_config.json': imported('claude_desktop_config.json', { mcpServers: { shop: stdio() } }),
  '.mcp.json': imported('.mcp.json', {
    mcpServers: { shop: stdio(), web: { type: 'http', url: 'http://127.0.0.1:9/mcp', headers: { Authorization: `Bearer ${planted}` } } },
  }),
  "VS Code's mcp.json with inputs": imported('.vscode/mcp.json', {
    inputs: [{ type: 'promptString', id: 'key', description: 'Key', password: true, default: planted }],
    servers: { shop: { type: 'stdio', ...stdio({ env: { SHOP_TOKEN: planted, OTHER: `$\{input:key}` } }) } },
  }),
  "Cursor's mcp.json": imported('.cursor/mcp.json', {
    mcpServers: { shop: stdio(), web: { url: 'http://127.0.0.1:9/mcp', headers: { 'X-Api-Key': planted } } },
  }),
  'an argument of a client file': {
    ...imported('args.json', { mcpServers: { shop: stdio({ args: ['./watched.mjs', '--api-key', planted], env: {} }) } }),
    isRefused: true,
  },
};

/** Returns the paths of the files below a folder that hold the secret, in any of its forms. */
async function holders(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const forms = [planted, Buffer.from(planted).toString('base64'), Buffer.from(planted).toString('hex')];
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, 'latin1');
      return forms.some((form) => text.includes(form)) ? [path.relative(folder, file)] : [];
    }),
  );
  return found.flat().sort();
}

describe('a secret given to toolkit upstream', () => {
  for (const [where, { args, file, isRefused = false, isTyped = false }] of Object.entries(rows))
    it(`is in .env alone: ${where}`, async () => {
      const folder = await temporaryFolder({
        'watched.mjs': watched,
        'toolkit.config.yaml': 'plugins:\n  - - toolkit/standard\n    - { includeCore: false, autoDiscover: false }\n',
        ...(file === undefined ? {} : { [file.name]: JSON.stringify(file.content) }),
      });
      const [state, cache] = [await temporaryFolder(), await temporaryFolder()];
      const env = { XDG_STATE_HOME: state, XDG_CACHE_HOME: cache, TOOLKIT_LOG_LEVEL: 'debug' };
      const printed: string[] = [];
      for (const line of [['upstream', ...args], ['lock'], ['list'], ['doctor'], ['upstream', 'list']]) {
        const { exit, stdout, stderr } = start(line, { cwd: folder, env });
        await exit;
        printed.push(stdout(), stderr());
      }
      expect(printed.join('')).to.not.include(planted);
      expect([...(await holders(state)), ...(await holders(cache))]).to.deep.equal([]);
      const allowed = new Set([file?.name, ...(isTyped ? ['seen/parent'] : [])]);
      const found = (await holders(folder)).filter((name) => !allowed.has(name));
      expect(found).to.deep.equal(isRefused ? [] : ['.env']);
      if (!isRefused) expect((await stat(path.join(folder, '.env'))).mode & 0o777).to.equal(0o600);
    });
});
