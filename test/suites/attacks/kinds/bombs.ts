import { expect } from 'chai';
import type { Attack, AttackKind } from '../attack.ts';
import type { AttackServer, ModelResult } from '../attack-server.ts';

interface Bomb extends Pick<Attack, 'id' | 'subject' | 'attempt' | 'before' | 'modes' | 'transports'> {
  readonly tool: string;
  readonly calls: readonly Readonly<Record<string, unknown>>[];
  /** Codes that the calls may end with. @default EXECUTION_FAILED and INVALID_PARAMETERS */
  readonly codes?: readonly string[];
}

const lookaheads = (levels: number): string => '(?=a'.repeat(levels) + ')'.repeat(levels);

/** Once over each transport: what a mode of approval does comes before a tool runs, and does not know what it reads. */
const oneMode = { modes: ['strict'] } as const;

const folder = 'my-tools/bombs';

const bombs: readonly Bomb[] = [
  {
    id: 'A1',
    subject: 'yaml',
    attempt: 'ends the server with lists and keys of twenty thousand levels',
    before: 'SIGABRT at the second call',
    tool: 'convert_yaml_to_json',
    calls: ['? '.repeat(20_000), '? '.repeat(20_000), '- '.repeat(100_000), '? '.repeat(50_000)].map((text) => ({ text })),
  },
  {
    id: 'A2',
    subject: 'pattern in a schema',
    attempt: 'ends the server with twenty thousand lookaheads',
    before: 'SIGABRT at the first call',
    tool: 'json_validate',
    calls: [{ data: 'aaa', schema: { type: 'string', pattern: lookaheads(20_000) } }],
  },
  {
    id: 'A3',
    subject: 'patternProperties and propertyNames',
    attempt: 'ends the server with the same lookaheads',
    before: 'SIGABRT at the first call',
    tool: 'json_validate',
    calls: [
      { data: { aaa: 1 }, schema: { type: 'object', patternProperties: { [lookaheads(20_000)]: {} } } },
      { data: { aaa: 1 }, schema: { type: 'object', propertyNames: { pattern: lookaheads(30_000) } } },
    ],
  },
  {
    id: 'A5',
    subject: 'String.normalize',
    attempt: 'leaves a thread that nothing ends with 800,000 combining marks',
    before: 'a thread at 100 percent for ever',
    ...oneMode,
    transports: ['stdio'],
    tool: 'hurried_normalize',
    calls: [{ text: '\u0315\u0300'.repeat(400_000), form: 'NFC' }],
    codes: ['TIMEOUT'],
  },
  {
    subject: 'regular expressions of text_regex_match',
    attempt: 'ends the server with nested groups',
    before: 'held: a result',
    tool: 'text_regex_match',
    calls: [{ text: 'aaa', pattern: '('.repeat(4999) + ')'.repeat(4999) }],
  },
  {
    subject: 'regular expressions of fs_search',
    attempt: 'ends the server with nested lookaheads',
    before: 'held: a result',
    ...oneMode,
    tool: 'fs_search',
    calls: [{ pattern: lookaheads(1900) }],
  },
  {
    subject: 'json-p3',
    attempt: 'ends the server with a pattern in a query',
    before: 'held: a result',
    tool: 'json_query',
    calls: [{ data: ['a'], query: `$[?match(@, '${'('.repeat(4000)}${')'.repeat(4000)}')]` }],
  },
  {
    subject: 'jmespath',
    attempt: 'ends the server with nested expressions',
    before: 'held: OUTPUT_INVALID',
    tool: 'json_query',
    calls: [{ data: [1], language: 'jmespath', query: `${'['.repeat(4000)}@${']'.repeat(4000)}` }],
  },
  {
    subject: 'mathjs',
    attempt: 'ends the server with nested parentheses',
    before: 'held: INVALID_PARAMETERS',
    ...oneMode,
    tool: 'math_evaluate',
    calls: [{ expression: `${'('.repeat(4000)}1${')'.repeat(4000)}` }],
  },
  {
    subject: 'smol-toml',
    attempt: 'ends the server with nested lists',
    before: 'held: INVALID_PARAMETERS',
    ...oneMode,
    tool: 'convert_toml_to_json',
    calls: [{ text: `a = ${'['.repeat(100_000)}` }],
  },
  {
    subject: 'turndown',
    attempt: 'ends the server with nested elements',
    before: 'held: INVALID_PARAMETERS',
    ...oneMode,
    tool: 'convert_html_to_markdown',
    calls: [{ html: '<b>'.repeat(40_000) }],
  },
  {
    subject: 'mustache',
    attempt: 'ends the server with nested sections',
    before: 'held: INVALID_PARAMETERS',
    ...oneMode,
    tool: 'text_render_template',
    calls: [{ template: `${'{{#a}}'.repeat(20_000)}${'{{/a}}'.repeat(20_000)}`, data: { a: true } }],
  },
  {
    subject: 'parse-xml',
    attempt: 'ends the server with nested elements',
    before: 'held: INVALID_PARAMETERS',
    ...oneMode,
    tool: 'convert_xml_to_json',
    calls: [{ text: '<a>'.repeat(50_000) + '</a>'.repeat(50_000) }],
  },
  {
    subject: 'patterns of a definition',
    attempt: 'ends the server, which compiles what a model proposes',
    before: 'held: it was parsed there, and compiled by nothing',
    tool: 'toolkit_validate_tool',
    calls: [
      {
        yaml: JSON.stringify({
          name: 'shop_find',
          description: 'Finds.',
          parameters: { q: { type: 'string', pattern: lookaheads(20_000) } },
          execution: { type: 'http', method: 'get', url: 'https://shop.example' },
        }),
      },
    ],
    codes: ['', 'EXECUTION_FAILED', 'INVALID_PARAMETERS'],
  },
];

/** The same process answers a ping and a call of the same kind of tool. */
async function expectAlive(server: AttackServer): Promise<void> {
  await server.client.ping();
  expect((await server.call('convert_yaml_to_json', { text: 'a: 1' })).text).to.include('structuredContent');
  expect(() => process.kill(server.pid, 0)).not.to.throw();
}

function attackOf({ tool, calls, codes = ['EXECUTION_FAILED', 'INVALID_PARAMETERS'], ...bomb }: Bomb): Attack {
  return {
    ...bomb,
    async run(server) {
      for (const parameters of calls) {
        const { code = '' }: Pick<ModelResult, 'code'> = await server.call(tool, parameters);
        expect(codes).to.include(code);
        await expectAlive(server);
      }
    },
  };
}

/** A tool that normalizes as `text_normalize` does, and has a third of a second. */
const hurried = `name: hurried_normalize
description: Normalizes a text.
parameters: { text: { type: string, required: true }, form: { type: string } }
execution: { type: function, code: './normalize.mjs#ask', timeout_ms: 300 }
risk: low
annotations: { readOnlyHint: true }
`;

export const bombsKind: AttackKind = {
  rule: 'one call cannot end or stop the server',
  files: {
    [`${folder}/hurried_normalize.yaml`]: hurried,
    [`${folder}/normalize.mjs`]:
      "export const ask = (parameters, { inChild, inThread }) => (inChild ?? inThread)('./normalize.mjs#run', parameters);\n" +
      'export const run = ({ text, form }) => ({ text: text.normalize(form) });\n',
  },
  attacks: bombs.map(attackOf),
};
