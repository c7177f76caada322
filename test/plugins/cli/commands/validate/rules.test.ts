import { expect } from 'chai';
import { temporaryFolder } from '../../../../support/temporary.ts';
import { goodTool, validated } from './validated.ts';

interface Case {
  readonly title: string;
  readonly tool: string;
  /** All lines but the summary, without the name of the file. */
  readonly lines: readonly string[];
}

const good = goodTool('say');
const handler = 'execution: { type: function, code: ./say.js }\n';
const head = 'name: say\ndescription: Prints a text as it is, for trying things out.\n';
const tail = 'output_schema: { type: string }\nexamples: [{ parameters: {} }]\n';

const cases: readonly Case[] = [
  {
    title: 'an example without a required parameter',
    tool: good.replace('{ text: hello }', '{}'),
    lines: ['7:14: error: examples[0].parameters.text is required'],
  },
  {
    title: 'an example with a mistyped parameter',
    tool: good.replace('{ text: hello }', '{ text: hello, txet: x }'),
    lines: ['7:41: error: examples[0].parameters.txet is not known here. Did you mean "text"?'],
  },
  {
    title: 'the second example with a value of another type',
    tool: good.replace('output: hello }]', 'output: hello }, { parameters: { text: 5 } }]'),
    lines: ['7:76: error: examples[1].parameters.text expected string, received number 5'],
  },
  {
    title: 'an example whose output does not fit',
    tool: good.replace('output: hello', 'output: 5'),
    lines: ['7:43: error: examples[0].output expected string, received number 5'],
  },
  {
    title: 'a place inside the output of an example',
    tool: good
      .replace('{ type: string }\nex', '{ type: array, items: { type: object, properties: { id: { type: integer } } } }\nex')
      .replace('output: hello', 'output: [{ id: 1 }, { id: two }]'),
    lines: ['7:65: error: examples[0].output[1].id expected integer, received string "two"'],
  },
  {
    title: 'nothing in an example that leaves out what has a default and gives null for what is optional, as a call may',
    tool: `${head}parameters:
  a: { type: integer, required: true, default: 1, description: One. }
  b: { type: string, description: Two. }
${handler}output_schema: { type: string }
examples: [{ parameters: { b: null } }]
`,
    lines: [],
  },
  {
    title: 'nothing in a default of null, which is none where null means that nothing is given',
    tool: `${head}parameters:\n  a: { type: string, default: null, description: One. }\n${handler}${tail}`,
    lines: [],
  },
  {
    title: 'a default of null where a value is required',
    tool: `${head}parameters:\n  a: { type: string, required: true, default: null, description: One. }\n${handler}${tail}`,
    lines: ['4:38: error: parameters.a.default expected string, received null'],
  },
  {
    title: 'null in an example where only certain values are allowed',
    tool: `${head}parameters:\n  a: { enum: [1, 2], description: One or two. }\n${handler}output_schema: { type: string }
examples: [{ parameters: { a: null } }]
`,
    lines: ['7:28: error: examples[0].parameters.a expected one of 1, 2, received null'],
  },
  {
    title: 'an example that gives a credential, which no call may',
    tool: `${head}parameters:
  token: { type: string, auth: true, description: The token. }
execution: { type: command, command: echo, args: ['{token}'] }
output_schema: { type: string }
examples: [{ parameters: { token: abc } }]
`,
    lines: ['7:28: error: examples[0].parameters.token is not known here. Nothing may be given here: remove it.'],
  },
  {
    title: 'a default that the parameter itself refuses',
    tool: `${head}parameters:\n  count: { type: integer, default: ten, description: How many. }\n  text: { type: string, required: true, description: A text. }\n${handler}${tail.replace('{}', '{ text: a }')}`,
    lines: ['4:27: error: parameters.count.default expected integer, received string "ten"'],
  },
  {
    title: 'a default inside a written schema, by way of a reference',
    tool: `${head}input_schema:
  type: object
  properties:
    "a/b": { $ref: '#/$defs/list', default: [1, two], description: Numbers. }
  $defs: { list: { type: array, items: { type: integer } } }
${handler}${tail}`,
    lines: [
      '6:5: warning: input_schema.properties.a/b is refused by Anthropic: expected 1 to 64 letters (a to z), digits, underscores, dots and dashes as its name',
      '6:5: warning: input_schema.properties.a/b is refused by Gemini: expected a letter (a to z) or an underscore, and at most 63 of these and digits as its name',
      '6:14: warning: input_schema.properties.a/b.$ref is refused by Anthropic: expected no "$ref". Write the schema out',
      '6:14: warning: input_schema.properties.a/b.$ref is refused by Gemini: expected no "$ref". Write one schema, or "anyOf" with one type each',
      '6:49: error: input_schema.properties.a/b.default[1] expected integer, received string "two"',
    ],
  },
  {
    title: 'a default beside a written schema, which refuses it',
    tool: `${head}input_schema:
  type: object
  properties: { count: { type: integer, description: How many. } }
parameters:
  count: { default: ten }
${handler}${tail}`,
    lines: ['7:12: error: parameters.count.default expected integer, received string "ten"'],
  },
  {
    title: 'a parameter with a pattern that is no regular expression',
    tool: `${head}parameters:\n  code: { type: string, pattern: '[', description: A code. }\n${handler}${tail}`,
    lines: ['4:25: error: parameters.code.pattern expected a regular expression (ECMA-262), received string "["'],
  },
  {
    title: 'an output_schema that cannot be compiled',
    tool: good.replace('{ type: string }\nex', "{ type: object, patternProperties: { '[': {} } }\nex").replace(', output: hello', ''),
    lines: ['6:1: error: output_schema cannot be used: Invalid regular expression: /[/u: Unterminated character class'],
  },
  {
    title: 'a schema that goes round in circles',
    tool: good.replace('{ type: string }\nex', "{ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }\nex"),
    lines: ['6:1: error: output_schema refers to itself without an end'],
  },
  {
    title: 'what a model misses',
    tool: `name: say\ndescription: Prints.\nparameters:\n  text: { type: string }\n  loud: { type: boolean, description: "  " }\n${handler}`,
    lines: [
      '1:1: warning: output_schema is missing. Describe the result with a JSON Schema; results are checked against it',
      '1:1: warning: examples are missing. Show one call: examples: [{ description: …, parameters: {…} }]',
      '2:1: warning: description has 7 characters. Say in at least 20 what the tool does and when to choose it',
      '4:3: warning: parameters.text has no description. Say what the value is for, its format, its unit and its limits',
      '5:3: warning: parameters.loud has no description. Say what the value is for, its format, its unit and its limits',
    ],
  },
  {
    title: 'a short description by its characters and an empty list of examples',
    tool: good.replace(/description: Prints.*\n/, 'description: "📏📏📏📏📏📏📏📏📏📏"\n').replace(/^examples.*$/m, 'examples: []'),
    lines: [
      '2:1: warning: description has 10 characters. Say in at least 20 what the tool does and when to choose it',
      '7:1: warning: examples are missing. Show one call: examples: [{ description: …, parameters: {…} }]',
    ],
  },
  {
    title: 'a parameter of a written schema without a description',
    tool: `${head}input_schema:\n  type: object\n  properties:\n    text: { type: string }\n${handler}${tail}`,
    lines: [
      '6:5: warning: input_schema.properties.text has no description. Say what the value is for, its format, its unit and its limits',
    ],
  },
  {
    title: 'what model APIs refuse of the whole',
    tool: `${head}input_schema:
  type: object
  properties:
    city: { type: string, description: A city. }
    place: { type: string, description: A place. }
  anyOf:
    - { required: [city] }
    - { required: [place] }
${handler}output_schema: { type: string }
examples: [{ parameters: { city: Bern } }]
`,
    lines: [
      '8:3: warning: input_schema.anyOf is refused by Anthropic, OpenAI, Gemini: expected no "anyOf" for the whole. Write one object with its properties, and say in their descriptions which go together',
      '9:7: warning: input_schema.anyOf[0] is refused by Gemini, the MCP Inspector: expected "type". Name one',
      '10:7: warning: input_schema.anyOf[1] is refused by Gemini, the MCP Inspector: expected "type". Name one',
    ],
  },
  {
    title: 'names that an API refuses, of the tool and of a member',
    tool: `${head.replace('say', '7zip')}parameters:
  file:
    type: object
    description: A file.
    properties:
      'the name': { type: string, description: Its name. }
${handler}${tail}`,
    lines: [
      '1:1: warning: name is refused by Gemini: expected a letter (a to z) or an underscore first, and 64 characters at most',
      '8:7: warning: parameters.file.properties.the name is refused by Anthropic: expected 1 to 64 letters (a to z), digits, underscores, dots and dashes as its name',
    ],
  },
  {
    title: 'nothing in values of any type, of several types, and of numbers by name, which are listed in a form that all take',
    tool: `${head}parameters:
  a: { description: Any. }
  b: { type: [string, integer], description: Some. }
  c: { type: integer, enum: [1, 2], description: One or two. }
  d: { type: array, description: A list. }
${handler}${tail}`,
    lines: [],
  },
  {
    title: 'what loading warns of',
    tool: good.replaceAll('text', 'page_token').replace('a page_token as', 'a text as'),
    lines: [
      '4:3: warning: parameters.page_token is taken for a credential because of its name: callers cannot give it. Say "auth: false" when it is an ordinary parameter, "auth: true" when it is a credential',
      '7:28: error: examples[0].parameters.page_token is not known here. Nothing may be given here: remove it.',
    ],
  },
];

describe('the rules beside those of loading', () => {
  for (const { title, tool, lines } of cases) {
    it(`find ${title}`, async () => {
      const text = await validated(await temporaryFolder({ 'tools/say.yaml': tool, 'tools/say.js': 'export default () => "";\n' }));
      expect(
        text
          .split('\n')
          .slice(0, -2)
          .map((line) => line.replace('tools/say.yaml:', '')),
      ).to.deep.equal(lines);
    });
  }
});
