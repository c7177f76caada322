import { expect } from 'chai';
import { parse } from 'jsonc-parser';
import { ToolkitError } from '../../../../../../kernel/index.ts';
import type { ServerEntry } from '../../../../../../plugins/mcp/commands/setup/clients/clients.ts';
import { withEntryValue, withServer } from '../../../../../../plugins/mcp/commands/setup/clients/entry-edits.ts';

const server: ServerEntry = { key: 'mcpServers', name: 'toolkit', entry: { command: 'node', args: ['mcp'], env: { TOOLKIT_CWD: '/p' } } };
const compact: ServerEntry = { key: 'mcpServers', name: 'toolkit', entry: { a: 1 } };
const file = '/home/ada/client.json';
const edited = (text: string, own: ServerEntry = server, hasComments = true): string => withServer(text, own, { file, hasComments });

const layouts = [
  { title: 'an empty file', text: '', result: '{\n  "mcpServers": {\n    "toolkit": {\n      "a": 1\n    }\n  }\n}\n' },
  { title: 'an empty object', text: '{}\n', result: '{\n  "mcpServers": {\n    "toolkit": {\n      "a": 1\n    }\n  }\n}\n' },
  {
    title: 'no servers, tabs and other members',
    text: '{\n\t"theme": "dark"\n}',
    result: '{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"toolkit": {\n\t\t\t"a": 1\n\t\t}\n\t}\n}',
  },
  {
    title: 'an empty object of servers',
    text: '{\n    "mcpServers": {}\n}\n',
    result: '{\n    "mcpServers": {\n        "toolkit": {\n            "a": 1\n        }\n    }\n}\n',
  },
  {
    title: 'another server in one line, which stays so',
    text: '{\n  "mcpServers": {\n    "x": { "b": [1, 2] }\n  }\n}\n',
    result: '{\n  "mcpServers": {\n    "x": { "b": [1, 2] },\n    "toolkit": {\n      "a": 1\n    }\n  }\n}\n',
  },
  {
    title: 'CRLF',
    text: '{\r\n  "mcpServers": {\r\n  }\r\n}\r\n',
    result: '{\r\n  "mcpServers": {\r\n    "toolkit": {\r\n      "a": 1\r\n    }\r\n  }\r\n}\r\n',
  },
  {
    title: 'CRLF and, where the server stands, LF',
    text: '{\r\n  "a": 1,\r\n  "mcpServers": {\n    "x": 1\n  }\r\n}\r\n',
    result: '{\r\n  "a": 1,\r\n  "mcpServers": {\n    "x": 1,\n    "toolkit": {\n      "a": 1\n    }\n  }\r\n}\r\n',
  },
  {
    title: 'comments and a trailing comma',
    text: '{\n  // mine\n  "mcpServers": {\n    "x": 1, // one\n  },\n}\n',
    result: '{\n  // mine\n  "mcpServers": {\n    "x": 1, // one\n    "toolkit": {\n      "a": 1\n    },\n  },\n}\n',
  },
  {
    title: 'a comment behind the last server',
    text: '{\n  "mcpServers": {\n    "x": 1 /* one */\n  }\n}',
    result: '{\n  "mcpServers": {\n    "x": 1, /* one */\n    "toolkit": {\n      "a": 1\n    }\n  }\n}',
  },
  {
    title: 'everything in one line',
    text: '{"mcpServers":{"x":1}}',
    result: '{"mcpServers":{"x":1,\n  "toolkit": {\n    "a": 1\n  }\n}}',
  },
  {
    title: 'a byte order mark',
    text: '\uFEFF{\n  "mcpServers": {\n    "toolkit": 5\n  }\n}',
    result: '\uFEFF{\n  "mcpServers": {\n    "toolkit": {\n      "a": 1\n    }\n  }\n}',
  },
];

const refusals = [
  {
    title: 'text that is no JSON',
    text: '{\n  "mcpServers": {,\n}',
    says: /is not JSON: line 2, column 18: .+\. It is left as it is\./,
  },
  { title: 'half a file', text: '{ "mcpServers": {', says: /is not JSON: line 1, column 18: expected "}"/ },
  { title: 'only a comment', text: '// nothing yet', says: /is not JSON/ },
  { title: 'a list', text: '[]', says: /expected an object, received array of 0/ },
  { title: 'servers in a list', text: '{ "mcpServers": [] }', says: /a wrong "mcpServers": expected an object, received array of 0/ },
  { title: 'servers that are null', text: '{ "mcpServers": null }', says: /a wrong "mcpServers": expected an object, received null/ },
  { title: 'servers twice', text: '{ "mcpServers": {},\n "mcpServers": {} }', says: /has "mcpServers" twice, again at line 2, column 2/ },
  { title: 'the server twice', text: '{ "mcpServers": { "toolkit": 1, "toolkit": 2 } }', says: /has "toolkit" twice/ },
];

describe("a client's file", () => {
  for (const { title, text, result } of layouts) {
    it(`with ${title} gets the server and keeps the rest`, () => {
      expect(edited(text, compact)).to.equal(result);
      expect(parse(result.replace('\uFEFF', ''), [], { allowTrailingComma: true }).mcpServers.toolkit).to.deep.equal({ a: 1 });
    });
  }

  for (const { title, text, says } of refusals) {
    it(`with ${title} is refused`, () => {
      expect(() => edited(text))
        .to.throw(ToolkitError, says)
        .with.property('code', 'CONFIG_INVALID');
    });
  }

  it('may hold comments only where its client reads them', () => {
    const text = '{\n  // mine\n  "mcpServers": {}\n}';
    expect(() => edited(text, server, true)).not.to.throw();
    expect(() => edited(text, server, false)).to.throw('is not JSON: line 2, column 3: comments are not allowed here');
    expect(() => edited('{ "mcpServers": {}, }', server, false)).to.throw('is not JSON');
  });

  it('is not changed when it says the same already, in whatever layout', () => {
    const text = '{"mcpServers":{"toolkit":{"env":{"TOOLKIT_CWD":"/p"},"args":["mcp"],"command":"node"}}}';
    expect(edited(text)).to.equal(text);
  });

  it('keeps what a person has put into the environment of the server, and the rest of the entry is replaced', () => {
    const former = { command: 'old', env: { TOOLKIT_CWD: '/p', SLACK_BOT_TOKEN: 'xoxb' }, cwd: '/old' };
    expect(JSON.parse(edited(JSON.stringify({ mcpServers: { toolkit: former } })))).to.deep.equal({
      mcpServers: { toolkit: { command: 'node', args: ['mcp'], env: { TOOLKIT_CWD: '/p', SLACK_BOT_TOKEN: 'xoxb' } } },
    });
  });

  it('takes nothing over of an entry that belongs to another project', () => {
    const former = { command: 'old', env: { TOOLKIT_CWD: '/q', SLACK_BOT_TOKEN: 'xoxb' } };
    expect(JSON.parse(edited(JSON.stringify({ mcpServers: { toolkit: former } })))).to.deep.equal({
      mcpServers: { toolkit: server.entry },
    });
  });

  const url = 'http://127.0.0.1:3000/mcp';
  const open = `Bearer \${env:TOOLKIT_MCP_TOKEN}`;
  const http: ServerEntry = { key: 'mcpServers', name: 't', entry: { url, headers: { Authorization: open } }, authorization: open };
  const formers: readonly (readonly [title: string, former: object, after: object])[] = [
    ['a token', { url, headers: { Authorization: 'Bearer 123' } }, { url, headers: { Authorization: 'Bearer 123' } }],
    [
      'a token under a name in another case',
      { url, headers: { authorization: 'Bearer 123' } },
      { url, headers: { authorization: 'Bearer 123' } },
    ],
    ['an entry without a token, whose client logs in', { url }, { url }],
    [
      'its other headers',
      { url, headers: { Authorization: 'Bearer 1', 'X-A': 'b' } },
      { url, headers: { Authorization: 'Bearer 1', 'X-A': 'b' } },
    ],
    ['no placeholder', { url, headers: { Authorization: 'Bearer YOUR_TOKEN' } }, { url, headers: { Authorization: open } }],
  ];
  for (const [title, former, after] of formers) {
    it(`keeps ${title}`, () => {
      expect(JSON.parse(edited(JSON.stringify({ mcpServers: { t: former } }), http)).mcpServers.t).to.deep.equal(after);
    });
  }

  it('gets the token in place of another one where a person wants it there', () => {
    const entry = { url, headers: { Authorization: 'Bearer 456' } };
    const given: ServerEntry = { ...http, entry, authorization: 'Bearer 456', holdsToken: true };
    const former = { mcpServers: { t: { url, headers: { Authorization: 'Bearer 123' } } } };
    expect(JSON.parse(edited(JSON.stringify(former), given)).mcpServers.t).to.deep.equal(entry);
  });

  const input = { id: 'token', type: 'promptString' };
  const asking: ServerEntry = { key: 'servers', name: 't', entry: { a: 1 }, inputs: [input] };

  it('gets an input once', () => {
    const once = edited('{\n  "inputs": [\n    { "id": "other" }\n  ]\n}', asking);
    expect(JSON.parse(once)).to.deep.equal({ inputs: [{ id: 'other' }, input], servers: { t: { a: 1 } } });
    expect(edited(once, asking)).to.equal(once);
    expect(JSON.parse(edited('{}', asking))).to.deep.equal({ servers: { t: { a: 1 } }, inputs: [input] });
  });

  const texts: readonly (readonly [title: string, before: string, after: string])[] = [
    ['the only one', '{\n  "mcpServers": {\n    "toolkit": { "a": 1 }\n  }\n}\n', '{\n  "mcpServers": {\n  }\n}\n'],
    [
      'the first',
      '{ "mcpServers": {\n  "toolkit": {}, // ours\n  // theirs\n  "b": {}\n} }',
      '{ "mcpServers": {\n  // theirs\n  "b": {}\n} }',
    ],
    [
      'the last',
      '{ "mcpServers": {\n  "b": {}, // theirs, kept\n  "toolkit": {}\n} }',
      '{ "mcpServers": {\n  "b": {} // theirs, kept\n} }',
    ],
    ['the last before a comma', '{ "mcpServers": {\n  "b": {},\n  "toolkit": {},\n} }', '{ "mcpServers": {\n  "b": {},\n} }'],
    ['one of one line', '{ "mcpServers": { "a": 1, "toolkit": 2, "b": 3 } }', '{ "mcpServers": { "a": 1, "b": 3 } }'],
    [
      'the last before many comments',
      `{ "mcpServers": { "b": 1, "toolkit": 2 ${'/* a */ '.repeat(40)}} }`,
      `{ "mcpServers": { "b": 1 ${'/* a */ '.repeat(40)}} }`,
    ],
    ['one that is not there', '{ "mcpServers": { "a": 1 } }', '{ "mcpServers": { "a": 1 } }'],
    [
      'the last of lines that end with CR LF',
      '{ "mcpServers": {\r\n  "b": {},\r\n  "toolkit": {}\r\n} }',
      '{ "mcpServers": {\r\n  "b": {}\r\n} }',
    ],
  ];
  for (const [title, before, after] of texts) {
    it(`loses an entry and nothing else: ${title}`, () => {
      const options = { file: '/home/mcp.json', hasComments: true };
      expect(withEntryValue(before, server, undefined, options)).to.equal(after);
    });
  }

  it('with inputs that are no list is refused', () => {
    expect(() => edited('{ "inputs": {} }', asking)).to.throw('wrong "inputs": expected an array, received object');
  });
});
