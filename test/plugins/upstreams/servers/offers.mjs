// What both fixtures offer, and what their tools answer.
const any = { type: 'object', properties: {}, additionalProperties: true };

export const tools = [
  {
    name: 'echo',
    title: 'Echo',
    description: 'Gives its text back.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    annotations: { readOnlyHint: true },
    icons: [{ src: 'https://example.com/icon.png', mimeType: 'image/png' }],
    _meta: { 'example.com/kind': 'fixture' },
  },
  {
    name: 'structured',
    description: 'Gives structured content.',
    inputSchema: any,
    outputSchema: { type: 'object', properties: { temperature: { type: 'number' } }, required: ['temperature'] },
  },
  ...['mixed', 'failing', 'slow', 'ask', 'die', 'rename', 'log', 'refused'].map((name) => ({
    name,
    description: `The tool ${name}.`,
    inputSchema: any,
  })),
];

export const resources = [
  {
    uri: 'fixture://one',
    name: 'one',
    title: 'One',
    mimeType: 'text/plain',
    annotations: { priority: 0.5 },
    _meta: { 'example.com/a': 1 },
  },
];

export const templates = [{ uriTemplate: 'fixture://people/{name}', name: 'person', description: 'A person.' }];

export const prompts = [{ name: 'greet', description: 'Greets.', arguments: [{ name: 'who', required: true }] }];

/** The result of a tool that needs no connection. */
export function parts(name, given) {
  switch (name) {
    case 'echo':
      return { content: [{ type: 'text', text: given.text }], _meta: { 'example.com/trace': 'abc' } };
    case 'structured':
      return { content: [{ type: 'text', text: '{"temperature":21.5}' }], structuredContent: { temperature: 21.5 } };
    case 'mixed':
      return {
        content: [
          { type: 'text', text: 'look', annotations: { audience: ['user'], priority: 1 }, _meta: { 'example.com/part': true } },
          { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' },
          { type: 'audio', data: 'aGVsbG8=', mimeType: 'audio/wav' },
          { type: 'resource', resource: { uri: 'fixture://one', mimeType: 'text/plain', text: 'embedded' } },
          { type: 'resource_link', uri: 'fixture://one', name: 'one', description: 'a link' },
        ],
      };
    case 'failing':
      return {
        isError: true,
        content: [
          { type: 'text', text: 'it broke' },
          { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' },
        ],
      };
    case 'refused':
      throw Object.assign(new Error('no such thing'), { code: -32602 });
    default:
      return { content: [{ type: 'text', text: name }] };
  }
}
