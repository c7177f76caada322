import { expect } from 'chai';
import { temporaryFolder } from '../../../../support/temporary.ts';
import { goodTool, validated } from './validated.ts';

interface Case {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  /** All lines but the summary. */
  readonly lines: readonly string[];
}

const indented = (execution: string): string => `name: say\ndescription: Says it.\n${execution}risk: low\n`;

const cases: readonly Case[] = [
  { title: 'nothing wrong', files: { 'tools/say.yaml': goodTool('say') }, lines: [] },
  {
    title: 'a mistyped key that would leave a tool open',
    files: { 'tools/say.yaml': goodTool('say', 'requires_aproval: true\n') },
    lines: ['tools/say.yaml:3:1: error: requires_aproval is not known here. Did you mean "requires_approval"?'],
  },
  {
    title: 'a key that is required and not there',
    files: { 'tools/say.yaml': goodTool('say').replace(/^description.*\n/m, '') },
    lines: ['tools/say.yaml:1:1: error: description is required'],
  },
  {
    title: 'several mistakes in one file',
    files: { 'tools/say.yaml': goodTool('say', 'risk: enormous\nretry: { attempts: 11 }\n') },
    lines: [
      'tools/say.yaml:3:1: error: risk expected one of "low", "medium", "high", received string "enormous"',
      'tools/say.yaml:4:10: error: retry.attempts expected to be <= 10, received number 11',
    ],
  },
  {
    title: 'mistakes of all kinds in one file, at once',
    files: {
      'tools/say.yaml': `name: say it
description: Prints a text as it is, for trying things out.
risk: enormous
tags: [1]
parameters:
  text: { type: strin, description: What to print. }
  code: { type: string, pattern: '[', description: A code. }
execution: { type: command, command: 'echo{text}', args: ['{text}', '{txet}'], arg: 1 }
output_schema: { type: strin }
`,
    },
    lines: [
      'tools/say.yaml:1:1: error: name expected to match pattern "^[A-Za-z0-9_-]{1,64}$", received string "say it"',
      'tools/say.yaml:3:1: error: risk expected one of "low", "medium", "high", received string "enormous"',
      'tools/say.yaml:4:8: error: tags[0] expected string, received number 1',
      'tools/say.yaml:6:11: error: parameters.text.type expected one of "string", "number", "integer", "boolean", "object", "array", received string "strin"',
      'tools/say.yaml:7:25: error: parameters.code.pattern expected a regular expression (ECMA-262), received string "["',
      'tools/say.yaml:8:1: error: execution uses the placeholder {txet}, which no parameter defines. Did you mean "text"? Declare it under "parameters", or write {{txet}} for the literal text',
      'tools/say.yaml:8:29: error: execution.command must not contain a placeholder: received "echo{text}". Write the program\'s name, and put values into "args"',
      'tools/say.yaml:8:80: error: execution.arg is not known here. Did you mean "args"?',
      'tools/say.yaml:9:18: error: output_schema.type expected one of array, boolean, integer, null, number, object, string, or a list of them, received string "strin"',
    ],
  },
  {
    title: 'a mistake that others would follow from, and nothing of these',
    files: { 'tools/say.yaml': goodTool('say').replace(/^ {2}text: .*$/m, '  text: wrong') },
    lines: ['tools/say.yaml:4:3: error: parameters.text expected object, received string "wrong"'],
  },
  {
    title: 'parameters that are none, and no placeholders that miss them',
    files: { 'tools/say.yaml': goodTool('say').replace(/^parameters:\n.*$/m, 'parameters: []') },
    lines: ['tools/say.yaml:3:1: error: parameters expected object, received array of 0'],
  },
  {
    title: 'an executor that does not exist',
    files: { 'tools/say.yaml': goodTool('say').replace('type: command', 'type: comand') },
    lines: [
      'tools/say.yaml:5:14: error: no plugin executes type "comand". Did you mean "command"? Expected one of http, command, function, apiclient',
    ],
  },
  {
    title: 'a placeholder that no parameter defines',
    files: { 'tools/say.yaml': goodTool('say').replace("'text={text}'", "'{texd}'") },
    lines: [
      'tools/say.yaml:5:1: error: execution uses the placeholder {texd}, which no parameter defines. Did you mean "text"? Declare it under "parameters", or write {{texd}} for the literal text',
    ],
  },
  {
    title: 'a gate on a parameter that does not exist',
    files: { 'tools/say.yaml': goodTool('say', 'requires_approval: { txt: hello }\n') },
    lines: ['tools/say.yaml:3:22: error: requires_approval.txt names "txt", which is no parameter. Did you mean "text"?'],
  },
  {
    title: 'an output_schema that is no schema',
    files: { 'tools/say.yaml': goodTool('say').replace('{ type: string }', '{ type: strin }') },
    lines: [
      'tools/say.yaml:6:18: error: output_schema.type expected one of array, boolean, integer, null, number, object, string, or a list of them, received string "strin"',
    ],
  },
  {
    title: 'YAML that does not parse',
    files: {
      'tools/say.yaml': 'name: say\ndescription: "Never closed\nexecution:\n  type: command\n',
      'tools/tab.yaml': 'name: tab\nexecution:\n\ttype: command\n',
    },
    lines: [
      'tools/say.yaml:5:1: error: is not valid YAML: Missing closing "quote',
      'tools/tab.yaml:3:1: error: is not valid YAML: Tabs are not allowed as indentation',
    ],
  },
  {
    title: 'one wrong indentation, and nothing that only follows from it',
    files: {
      'tools/less.yaml': indented(
        'execution:\ntype: http\n  method: get\n  url: https://shop.example/\n  headers:\n    Accept: text/plain\n',
      ),
      'tools/more.yaml': indented('execution:\n  type: http\n    method: get\n  url: https://shop.example/\n'),
      'tools/deep.yaml': indented('execution:\n    type: http\n  method: get\n  url: https://shop.example/\n'),
      'tools/text.yaml': indented('execution:\n  type: http\n  method: get\n  url: note: https://shop.example/\n'),
      'tools/whole.yaml': `  ${indented('execution:\n  type: http\n  method: get\n  url: https://shop.example/\n')}`,
    },
    lines: [
      'tools/deep.yaml:5:1: error: is not valid YAML: All mapping items must start at the same column',
      ...['less.yaml:4:7', 'more.yaml:4:9', 'text.yaml:6:8'].map(
        (place) =>
          `tools/${place}: error: is not valid YAML: Nested mappings are not allowed in compact mappings. Begin this line and the one below in the same column as the keys beside them, or put quotes around a text with ": " in it`,
      ),
      'tools/whole.yaml:2:1: error: is not valid YAML: Unexpected scalar at node end',
    ],
  },
  {
    title: 'Windows line endings',
    files: { 'tools/say.yaml': goodTool('say', 'requires_aproval: true\n').replaceAll('\n', '\r\n') },
    lines: ['tools/say.yaml:3:1: error: requires_aproval is not known here. Did you mean "requires_approval"?'],
  },
  {
    title: 'YAML with Windows line endings that does not parse',
    files: { 'tools/say.yaml': 'name: say\r\ndescription: fine\r\nrisk: [low\r\n' },
    lines: [
      'tools/say.yaml:4:1: error: is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
  },
  {
    title: 'a byte order mark',
    files: { 'tools/say.yaml': `\uFEFF${goodTool('say', 'requires_aproval: true\n')}` },
    lines: ['tools/say.yaml:3:1: error: requires_aproval is not known here. Did you mean "requires_approval"?'],
  },
  {
    title: 'names that are not ASCII, with columns in UTF-16 units',
    files: {
      'tools/größe 📏/länge.yaml': goodTool('say', '"x-📏": 1\n').replace('text: { type: string', 'text: { "x-📏": 1, type: strin'),
    },
    lines: [
      'tools/größe 📏/länge.yaml:5:22: error: parameters.text.type expected one of "string", "number", "integer", "boolean", "object", "array", received string "strin"',
    ],
  },
  {
    title: 'two tools of one name',
    files: { 'tools/a.yaml': goodTool('say'), 'tools/b.yaml': `# A comment.\n${goodTool('say')}` },
    lines: [
      'tools/b.yaml:2:1: error: the tool "say" is already defined by tools/a.yaml; that one is used. Rename one of the two (tools/b.yaml is the other)',
    ],
  },
  {
    title: 'two providers of one name',
    files: {
      'tools/a/definition.yaml': 'provider: { name: shop }\n',
      'tools/b/definition.yaml': 'provider: { name: shop }\n',
    },
    lines: [
      'tools/b/definition.yaml:1:13: error: the provider "shop" is already defined by tools/a/definition.yaml; that one is used. Rename one of the two (tools/b/definition.yaml is the other)',
    ],
  },
  {
    title: 'a broken provider, whose tools are looked at as well',
    files: {
      'tools/shop/definition.yaml': 'provider: { name: shop }\nbase_ulr: https://shop.example\n',
      'tools/shop/say.yaml': goodTool('say', 'requires_aproval: true\n'),
    },
    lines: [
      'tools/shop/definition.yaml:2:1: error: base_ulr is not known here. Did you mean "base_url"?',
      'tools/shop/say.yaml:3:1: error: requires_aproval is not known here. Did you mean "requires_approval"?',
    ],
  },
  {
    title: 'broken skills',
    files: {
      'tools/bare/SKILL.md': '# No front matter\n',
      'tools/bad-name/SKILL.md': '---\nname: Bad Name\ndescription: A skill.\n---\n',
      'tools/mute/SKILL.md': '---\nname: mute\n---\n',
    },
    lines: [
      'tools/bad-name/SKILL.md:2:1: error: name expected to match pattern "^[a-z0-9]+(-[a-z0-9]+)*$", received string "Bad Name"',
      'tools/bare/SKILL.md:1:1: error: expected front matter: a first line "---", then name and description, then a line "---"',
      'tools/mute/SKILL.md:2:1: error: description is required',
    ],
  },
  {
    title: 'a file that is no definition',
    files: { 'tools/compose.yaml': 'services: {}\n', 'tools/say.yaml': goodTool('say') },
    lines: [],
  },
];

describe('the report on broken definitions', () => {
  for (const { title, files, lines } of cases) {
    it(`shows ${title}`, async () => {
      const text = await validated(await temporaryFolder(files));
      expect(text.split('\n').slice(0, -2)).to.deep.equal(lines);
    });
  }

  it('writes what would move the cursor or begin a line as escapes', async () => {
    const text = await validated(await temporaryFolder({ 'tools/a\nb.yaml': goodTool('say', '"\\u001b[2J\\n::error::": 1\n') }));
    expect(text).to.match(
      /^tools\/a\\u000ab\.yaml:3:1: warning: \\u001b\[2J\\u000a::error:: is not known here\. Expected name, .*\n1 tool, .*\n$/,
    );
  });
});
