import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Asked, Era, Json } from './recorded-client.ts';

/** A server whose answers are compared. */
export interface ServerCase {
  readonly name: string;
  /** The era that the server speaks. */
  readonly era: Era;
  /** The program, without the runtime. `folder`: a folder of this case alone. */
  args(folder: string): readonly string[];
  env?(folder: string): Readonly<Record<string, string>>;
  /** Makes the state that the server finds. */
  prepare?(folder: string): Promise<void>;
  requests(folder: string): readonly Asked[];
  /** The URI of a resource that the tool `touch` changes. */
  readonly watched?: string;
}

const npm = (name: string): string => path.resolve('node_modules/@modelcontextprotocol', name, 'dist/index.js');

const everything = path.resolve('fixtures/servers/upstreams/everything.mjs');

const call = (name: string, given: Json = {}): Asked => ({ method: 'tools/call', params: { name, arguments: given } });

const lists: readonly Asked[] = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'].map((method) => ({
  method,
  params: {},
}));

const complete = (ref: Json, name: string, value: string, context?: Json): Asked => ({
  method: 'completion/complete',
  params: { ref, argument: { name, value }, ...(context === undefined ? {} : { context: { arguments: context } }) },
});

const prompt = (name: string, given: Json = {}): Asked => ({ method: 'prompts/get', params: { name, arguments: given } });
const read = (uri: string): Asked => ({ method: 'resources/read', params: { uri } });

const inBoth: readonly Asked[] = [
  ...lists,
  call('echo', { message: 'ünïcode \u{1f600} and "quotes"' }),
  call('echo', { message: '' }),
  call('get-sum', { a: 2, b: 40 }),
  call('get-sum', { a: 0.1, b: 1e21 }),
  ...['error', 'success', 'debug'].flatMap((messageType) =>
    [true, false].map((includeImage) => call('get-annotated-message', { messageType, includeImage })),
  ),
  ...['New York', 'Chicago', 'Los Angeles'].map((location) => call('get-structured-content', { location })),
  call('trigger-long-running-operation', { duration: 0.2, steps: 4 }),
  call('get-tiny-image'),
  call('get-resource-links', { count: 5 }),
  call('get-resource-reference', { resourceType: 'Blob', resourceId: 4 }),
  call('get-resource-reference', { resourceType: 'Text', resourceId: 3 }),
  read('demo://resource/static/document/features.md'),
  read('demo://resource/dynamic/text/7'),
  read('demo://resource/dynamic/blob/8'),
  prompt('simple-prompt'),
  prompt('args-prompt', { city: 'Berlin' }),
  prompt('args-prompt', { city: 'Salem', state: 'Oregon' }),
  prompt('completable-prompt', { department: 'Sales', name: 'Eve' }),
  prompt('resource-prompt', { resourceType: 'Text', resourceId: '2' }),
  complete({ type: 'ref/prompt', name: 'completable-prompt' }, 'department', 'S'),
  complete({ type: 'ref/prompt', name: 'completable-prompt' }, 'name', '', { department: 'Support' }),
  complete({ type: 'ref/prompt', name: 'resource-prompt' }, 'resourceId', '12'),
];

const ofFixture: readonly Asked[] = [
  call('fail'),
  call('bare'),
  read('demo://resource/dynamic/text/0'),
  prompt('resource-prompt', { resourceType: 'Text', resourceId: '0' }),
  call('echo-rich', { when: '2025-01-12T15:00:58Z', tags: ['a', 'b'], shape: { side: 2.5 }, level: null, name: 'abc' }),
  prompt('empty-prompt'),
  call('log-messages', { count: 3 }),
  call('trigger-elicitation-request'),
  call('trigger-elicitation-request', { who: 'Grace' }),
  call('trigger-sampling-request', { prompt: 'Say something.', maxTokens: 20 }),
];

const ofNpm: readonly Asked[] = [
  call('trigger-elicitation-request'),
  call('trigger-sampling-request', { prompt: 'Say something.', maxTokens: 20 }),
];

const watched = 'demo://resource/static/document/features.md';

export const servers: readonly ServerCase[] = [
  { name: 'the fixture of 2026', era: '2026', args: () => [everything, '2026'], watched, requests: () => [...inBoth, ...ofFixture] },
  { name: 'the fixture of 2025', era: '2025', args: () => [everything, '2025'], watched, requests: () => [...inBoth, ...ofFixture] },
  { name: 'server-everything', era: '2025', args: () => [npm('server-everything')], requests: () => [...inBoth, ...ofNpm] },
  {
    name: 'server-filesystem',
    era: '2025',
    args: (folder) => [npm('server-filesystem'), path.join(folder, 'files')],
    prepare: async (folder) => {
      const files = path.join(folder, 'files');
      await rm(files, { recursive: true, force: true });
      await mkdir(path.join(files, 'inner'), { recursive: true });
      await writeFile(path.join(files, 'a.txt'), 'one\ntwo\nthree\n');
      await writeFile(path.join(files, 'inner', 'b.md'), '# B\n');
    },
    requests: (folder) => {
      const at = (name: string): string => path.join(folder, 'files', name);
      return [
        { method: 'tools/list', params: {} },
        call('list_allowed_directories'),
        call('list_directory', { path: at('') }),
        call('directory_tree', { path: at('') }),
        call('read_text_file', { path: at('a.txt') }),
        call('read_text_file', { path: at('a.txt'), head: 2 }),
        call('read_multiple_files', { paths: [at('a.txt'), at('inner/b.md'), at('none')] }),
        call('read_media_file', { path: at('a.txt') }),
        call('search_files', { path: at(''), pattern: '**/*.md' }),
        call('get_file_info', { path: at('inner') }),
        call('write_file', { path: at('c.txt'), content: 'new' }),
        call('edit_file', { path: at('a.txt'), edits: [{ oldText: 'two', newText: '2' }] }),
        call('create_directory', { path: at('deep/er') }),
        call('move_file', { source: at('c.txt'), destination: at('d.txt') }),
        call('list_directory', { path: at('') }),
        call('read_text_file', { path: '/etc/passwd' }),
        call('read_text_file', { path: at('none') }),
      ];
    },
  },
  {
    name: 'server-memory',
    era: '2025',
    args: () => [npm('server-memory')],
    env: (folder) => ({ MEMORY_FILE_PATH: path.join(folder, 'memory.json') }),
    prepare: (folder) => rm(path.join(folder, 'memory.json'), { force: true }),
    requests: () => [
      { method: 'tools/list', params: {} },
      call('create_entities', {
        entities: [
          { name: 'Ada', entityType: 'person', observations: ['writes'] },
          { name: 'Engine', entityType: 'thing', observations: [] },
        ],
      }),
      call('create_relations', { relations: [{ from: 'Ada', to: 'Engine', relationType: 'describes' }] }),
      call('add_observations', { observations: [{ entityName: 'Ada', contents: ['counts'] }] }),
      call('add_observations', { observations: [{ entityName: 'Nobody', contents: ['x'] }] }),
      call('read_graph'),
      call('search_nodes', { query: 'ada' }),
      call('open_nodes', { names: ['Engine'] }),
      call('delete_observations', { deletions: [{ entityName: 'Ada', observations: ['counts'] }] }),
      call('delete_relations', { relations: [{ from: 'Ada', to: 'Engine', relationType: 'describes' }] }),
      call('delete_entities', { entityNames: ['Ada'] }),
      call('read_graph'),
    ],
  },
];
