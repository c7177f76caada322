import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';
import { parse } from 'yaml';
import { program } from './program.ts';

/** In place of the seconds that each tool has, by prefix. An operator sets a limit in a definition of his own, and nowhere else. */
const limitsMs = { hurried: 300, patient: 600_000 };

interface Bomb {
  readonly tool: string;
  readonly parameters: Record<string, unknown>;
}

const stuck = `${'a'.repeat(60)}!`;
const numbers = Array.from({ length: 100 }, (_, index) => index + 1);
const lines = (mark: string): string => Array.from({ length: 60_000 }, (_, index) => `${mark}${index}`).join('\n');
/** The largest matrix there may be, of numbers whose exact inverse has thousands of digits. */
const rows = Array.from({ length: 64 }, (_, row) =>
  Array.from({ length: 64 }, (_, column) => (((row + 1) ** 2 * (column + 3) ** 3) % 997) * 10 ** ((row % 7) * 80 - 240)),
);

const endless: Readonly<Record<string, readonly Bomb[]>> = {
  'regular expressions over texts': [
    { tool: 'text_regex_match', parameters: { text: stuck, pattern: '^(a+)+$' } },
    { tool: 'text_regex_replace', parameters: { text: stuck, pattern: '^(a|a)*$', replacement: '' } },
    { tool: 'text_split', parameters: { text: stuck, separator: '^(a*)*$', regex: true } },
  ],
  'regular expressions over files': [
    { tool: 'fs_search', parameters: { pattern: '^(a+)+$', glob: 'stuck.txt' } },
    { tool: 'fs_replace_in_files', parameters: { pattern: '^(a+)+$', replacement: '', glob: 'stuck.txt', regex: true } },
  ],
  'functions that call themselves, and factorials': [
    { tool: 'math_evaluate', parameters: { expression: 'f(n) = n < 2 ? n : f(n - 1) + f(n - 2); f(200)' } },
    { tool: 'math_evaluate', parameters: { expression: '(10000000)!', precision: 64 } },
  ],
  'large matrices': [
    { tool: 'math_evaluate', parameters: { expression: 'inv(random([2000, 2000]))' } },
    { tool: 'math_matrix', parameters: { operation: 'inverse', a: rows } },
  ],
  'queries and schemas': [
    { tool: 'json_query', parameters: { data: [stuck], query: "$..[?match(@, '(a|a)*b')]" } },
    { tool: 'json_query', parameters: { data: numbers, query: `${'map(&'.repeat(6)}@${', $)'.repeat(6)}`, language: 'jmespath' } },
    { tool: 'json_validate', parameters: { data: stuck, schema: { pattern: '^(a|a)*$' } } },
  ],
  'a comparison and a template': [
    { tool: 'text_diff', parameters: { left: lines('a'), right: lines('b'), granularity: 'char' } },
    {
      tool: 'text_render_template',
      parameters: { template: `${'{{#numbers}}'.repeat(20)}${'{{/numbers}}'.repeat(20)}`, data: { numbers } },
    },
  ],
};

const aliases = Array.from({ length: 12 }, (_, level) => {
  const item = level === 0 ? 'lol' : `*a${level - 1}`;
  return `a${level}: &a${level} [${Array.from({ length: 9 }, () => item).join(', ')}]\n`;
});
const entities = '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><a>&b;</a>';
const texts = Array.from({ length: 300 }, () => 'x'.repeat(1000));

/** These end before their limit, by limits of another kind. */
const refused: readonly (Bomb & { readonly what: string; readonly code: string })[] = [
  { what: 'YAML aliases', tool: 'convert_yaml_to_json', parameters: { text: aliases.join('') }, code: 'OUTPUT_TOO_LARGE' },
  { what: 'XML entities', tool: 'convert_xml_to_json', parameters: { text: entities }, code: 'INVALID_PARAMETERS' },
  {
    what: 'a list that doubles',
    tool: 'json_query',
    parameters: { data: numbers, query: `[@, @]${' | [@, @]'.repeat(60)}`, language: 'jmespath' },
    code: 'OUTPUT_TOO_LARGE',
  },
  { what: 'a large matrix', tool: 'math_evaluate', parameters: { expression: 'ones(300, 300) / 7' }, code: 'OUTPUT_TOO_LARGE' },
  {
    what: 'sections in sections',
    tool: 'text_render_template',
    parameters: { template: '{{#texts}}{{#texts}}{{.}}{{/texts}}{{/texts}}', data: { texts } },
    code: 'OUTPUT_TOO_LARGE',
  },
];

describe('calls that would run for years, at one server over stdio', () => {
  let cwd: string;
  let client: Client;

  before(async () => {
    cwd = await realpath(await mkdtemp(path.join(os.tmpdir(), 'toolkit-test-')));
    await writeFile(path.join(cwd, 'stuck.txt'), stuck);
    for (const tool of new Set([...Object.values(endless).flat(), ...refused].map(({ tool }) => tool))) await addTools(cwd, tool);
    const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
    const args = [program, 'mcp', '--tool-paths', 'tools'];
    client = new Client({ name: 'e2e', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd, env, stderr: 'ignore' }));
    await quickCalls();
  });

  after(async () => {
    await client?.close();
    await rm(cwd, { recursive: true, force: true });
  });

  async function codeOf(name: string, parameters: Record<string, unknown>, options: { signal?: AbortSignal } = {}): Promise<unknown> {
    const result = await client.callTool({ name, arguments: parameters }, undefined, options);
    if (result.isError !== true) return 'an answer';
    return (result._meta as { 'toolkit/error'?: { code?: string } })['toolkit/error']?.code;
  }

  async function quickCalls(): Promise<readonly unknown[]> {
    return Promise.all([codeOf('time_now', {}), codeOf('fs_stat', { path: 'stuck.txt' })]);
  }

  for (const [what, bombs] of Object.entries(endless)) {
    it(`answers other calls before ${what}, which end when they are cancelled, and with TIMEOUT`, async () => {
      const cancel = new AbortController();
      const running = bombs.map(({ tool, parameters }) => codeOf(`patient_${tool}`, parameters, cancel).catch(() => 'cancelled'));
      expect(await Promise.race([quickCalls(), ...running])).to.deep.equal(['an answer', 'an answer']);
      cancel.abort();
      expect(await Promise.all(running)).to.deep.equal(bombs.map(() => 'cancelled'));
      const codes = await Promise.all(bombs.map(({ tool, parameters }) => codeOf(`hurried_${tool}`, parameters)));
      expect(codes).to.deep.equal(bombs.map(() => 'TIMEOUT'));
    });
  }

  for (const { what, tool, parameters, code } of refused) {
    it(`refuses ${what} in ${tool} with ${code}`, async () => {
      expect(await codeOf(`patient_${tool}`, parameters)).to.equal(code);
    });
  }

  it('still runs the same tools', async () => {
    const { structuredContent } = await client.callTool({ name: 'text_regex_match', arguments: { text: 'aa', pattern: '^(a+)+$' } });
    expect(structuredContent).to.have.nested.property('matches[0].text', 'aa');
    expect((await client.callTool({ name: 'math_evaluate', arguments: { expression: '6 * 7' } })).structuredContent).to.include({
      result: 42,
    });
  });
});

/** The tools `hurried_<tool>` and `patient_<tool>` in the folder `tools`: the core tool with its built code and another limit. */
async function addTools(project: string, tool: string): Promise<void> {
  const group = tool.split('_')[0] ?? '';
  const folder = path.join(project, 'tools', group);
  const built = path.resolve('dist/tools/core', group);
  if ((await mkdir(folder, { recursive: true })) !== undefined)
    for (const file of await readdir(built)) if (!file.endsWith('.yaml')) await symlink(path.join(built, file), path.join(folder, file));
  const definition = parse(await readFile(path.join(built, `${tool}.yaml`), 'utf8')) as { execution: object };
  // It refers to what the folder of the core tools defines.
  const shared = parse(await readFile(path.resolve('dist/tools/core/definition.yaml'), 'utf8')) as { provider: object };
  await writeFile(
    path.join(project, 'tools/definition.yaml'),
    JSON.stringify({ ...shared, provider: { ...shared.provider, name: 'own' } }),
  );
  for (const [prefix, limitMs] of Object.entries(limitsMs)) {
    const name = `${prefix}_${tool}`;
    const own = { ...definition, name, execution: { ...definition.execution, timeout_ms: limitMs } };
    await writeFile(path.join(folder, `${name}.yaml`), JSON.stringify(own));
  }
}
