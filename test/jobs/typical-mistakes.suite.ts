import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { writeFiles } from '../support/temporary.ts';
import { followError, type ToolCall } from './follow-error.ts';
import type { JobAnswer, JobClient } from './job-client.ts';
import { runJob } from './run-job.ts';

interface Facts {
  readonly folder: string;
  /** Lines of notes.txt; each has the word "line". */
  readonly lines: readonly string[];
}

/** A call that is wrong in one way. */
interface Mistake {
  readonly tool: string;
  readonly given: Readonly<Record<string, unknown>>;
  /** The expected output of the right call. */
  readonly gives: (facts: Facts) => unknown;
  readonly part: (output: never) => unknown;
}

const whole = ({ lines }: Facts): string => `${lines.join('\n')}\n`;
const contentOf = ({ content }: { readonly content: string }): string => content;
const textIn = ({ text }: { readonly text: string }): string => text;
const linesOf = ({ matches }: { readonly matches: readonly { readonly line: number }[] }): readonly number[] =>
  matches.map(({ line }) => line);
const shell = ({ folder }: Facts, script: string): string => execFileSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' });

/** By the mistake. They are made in this order, in one folder. */
const mistakes: Readonly<Record<string, Mistake>> = {
  'file for path': { tool: 'fs_read_file', given: { file: 'notes.txt' }, gives: whole, part: contentOf },
  'a choice in capitals': { tool: 'fs_read_file', given: { path: 'notes.txt', encoding: 'UTF-8' }, gives: whole, part: contentOf },
  'limit for max_bytes': {
    tool: 'fs_read_file',
    given: { path: 'notes.txt', limit: 5 },
    gives: (facts) => shell(facts, 'head -c 5 notes.txt'),
    part: contentOf,
  },
  'a path from the root of the machine': { tool: 'fs_read_file', given: { path: '/notes.txt' }, gives: whole, part: contentOf },
  'a folder for a file': {
    tool: 'fs_read_file',
    given: { path: 'docs' },
    gives: () => true,
    part: ({ tree }: { readonly tree: string }) => tree.includes('readme.md'),
  },
  'a tool without its prefix': { tool: 'read_file', given: { path: 'notes.txt' }, gives: whole, part: contentOf },
  'start_line and end_line': {
    tool: 'fs_read_lines',
    given: { path: 'notes.txt', start_line: 2, end_line: 3 },
    gives: ({ lines }) => lines.slice(1, 3),
    part: ({ lines }: { readonly lines: readonly string[] }) => lines,
  },
  'from and to for lines': {
    tool: 'fs_read_lines',
    given: { path: 'notes.txt', from: 2, to: 2 },
    gives: ({ lines }) => lines.slice(1, 2),
    part: ({ lines }: { readonly lines: readonly string[] }) => lines,
  },
  'numbers as texts': {
    tool: 'fs_read_lines',
    given: { path: 'notes.txt', start: '2', end: '3' },
    gives: ({ lines }) => lines.slice(1, 3),
    part: ({ lines }: { readonly lines: readonly string[] }) => lines,
  },
  'one path for a list': {
    tool: 'fs_read_many',
    given: { paths: 'notes.txt' },
    gives: whole,
    part: ({ files }: { readonly files: readonly { readonly content: string }[] }) => files[0]?.content,
  },
  'a file that is there': {
    tool: 'fs_write_file',
    given: { path: 'old.txt', content: 'new\n' },
    gives: () => 4,
    part: ({ bytes_written: bytes }: { readonly bytes_written: number }) => bytes,
  },
  'text for content': {
    tool: 'fs_write_file',
    given: { path: 'fresh.txt', text: 'grüße\n' },
    gives: () => 8,
    part: ({ bytes_written: bytes }: { readonly bytes_written: number }) => bytes,
  },
  'old and new in an edit': {
    tool: 'fs_edit_file',
    given: { path: 'edit.txt', edits: [{ old: 'one', new: '1' }] },
    gives: () => 1,
    part: replacements,
  },
  'old_string and new_string in an edit': {
    tool: 'fs_edit_file',
    given: { path: 'edit.txt', edits: [{ old_string: 'two', new_string: '2' }] },
    gives: () => 1,
    part: replacements,
  },
  'a text that is there several times': {
    tool: 'fs_edit_file',
    given: { path: 'edit.txt', edits: [{ old_text: 'x', new_text: 'y' }] },
    gives: () => 3,
    part: replacements,
  },
  'a bracket in a pattern': { tool: 'fs_search', given: { path: 'notes.txt', pattern: 'call(' }, gives: () => [4], part: linesOf },
  'query for pattern': { tool: 'fs_search', given: { path: 'notes.txt', query: 'call' }, gives: () => [4], part: linesOf },
  'file_pattern for glob': { tool: 'fs_search', given: { pattern: 'call', file_pattern: '*.txt' }, gives: () => [4], part: linesOf },
  'a limit as a text': {
    tool: 'fs_search',
    given: { path: 'notes.txt', pattern: 'line', max_results: '2' },
    gives: () => [1, 2],
    part: linesOf,
  },
  'name for pattern': {
    tool: 'fs_find',
    given: { path: 'docs', name: '*.md' },
    gives: () => ['readme.md'],
    part: ({ paths }: { readonly paths: readonly string[] }) => paths,
  },
  'max_depth for depth': {
    tool: 'fs_tree',
    given: { path: 'docs', max_depth: 1 },
    gives: () => true,
    part: ({ tree }: { readonly tree: string }) => tree.includes('readme.md'),
  },
  'from and to of a copy': { tool: 'fs_copy', given: { from: 'notes.txt', to: 'copy.txt' }, gives: () => 1, part: entriesOf },
  'target for destination': { tool: 'fs_copy', given: { source: 'notes.txt', target: 'second.txt' }, gives: () => 1, part: entriesOf },
  'old_path and new_path of a move': {
    tool: 'fs_move',
    given: { old_path: 'copy.txt', new_path: 'moved.txt' },
    gives: () => 'moved.txt',
    part: ({ destination }: { readonly destination: string }) => path.basename(destination),
  },
  'an algorithm in other letters': {
    tool: 'fs_hash_file',
    given: { path: 'notes.txt', algorithm: 'SHA-512' },
    gives: (facts) => shell(facts, 'sha512sum notes.txt').slice(0, 128),
    part: digestOf,
  },
  'a deletion that was not asked for': { tool: 'fs_delete', given: { path: 'second.txt' }, gives: () => 1, part: entriesOf },
  'files and output of an archive': {
    tool: 'archive_zip_create',
    given: { files: ['notes.txt'], output: 'notes.zip' },
    gives: () => 'notes.zip',
    part: ({ path: place }: { readonly path: string }) => path.basename(place),
  },
  'data for text': {
    tool: 'crypto_hash',
    given: { data: 'abc' },
    gives: (facts) => shell(facts, 'printf abc | sha256sum').slice(0, 64),
    part: digestOf,
  },
  'algo for algorithm': {
    tool: 'crypto_hash',
    given: { text: 'abc', algo: 'md5' },
    gives: (facts) => shell(facts, 'printf abc | md5sum').slice(0, 32),
    part: digestOf,
  },
  'the text of JSON for a value': {
    tool: 'json_query',
    given: { data: '{"a":{"b":1}}', query: '$.a.b' },
    gives: () => [1],
    part: resultOf,
  },
  'path for query': { tool: 'json_query', given: { data: { a: { b: 1 } }, path: '$.a.b' }, gives: () => [1], part: resultOf },
  'a query without its $': { tool: 'json_query', given: { data: { a: { b: 1 } }, query: 'a.b' }, gives: () => [1], part: resultOf },
  'texts of JSON in a list': {
    tool: 'json_merge',
    given: { documents: ['{"a":1}', '{"b":2}'] },
    gives: () => ({ a: 1, b: 2 }),
    part: resultOf,
  },
  'the text of JSON to convert': { tool: 'convert_json_to_yaml', given: { data: '{"a":1}' }, gives: () => 'a: 1\n', part: textIn },
  'path for text_path': {
    tool: 'convert_csv_to_json',
    given: { path: 'items.csv' },
    gives: () => 3,
    part: ({ rows }: { readonly rows: readonly unknown[] }) => rows.length,
  },
  'txt for text': { tool: 'text_count', given: { txt: 'a b' }, gives: () => 2, part: ({ words }: { readonly words: number }) => words },
  'replace for replacement': {
    tool: 'text_regex_replace',
    given: { text: 'a1', pattern: '\\d', replace: 'x' },
    gives: () => 'ax',
    part: textIn,
  },
  'old and new of a comparison': {
    tool: 'text_diff',
    given: { old: 'a\n', new: 'b\n' },
    gives: () => true,
    part: ({ diff }: { readonly diff: string }) => diff.includes('-a') && diff.includes('+b'),
  },
  'time_zone for timezone': {
    tool: 'time_now',
    given: { time_zone: 'Asia/Kolkata' },
    gives: () => '+05:30',
    part: ({ offset }: { readonly offset: string }) => offset,
  },
  'letters of another library': {
    tool: 'time_format',
    given: { time: '2026-03-01T10:00Z', format: 'YYYY-MM-DD' },
    gives: () => '2026-03-01',
    part: textIn,
  },
  'words for a date': {
    tool: 'git_log',
    given: { since: 'last week' },
    gives: () => ['Add the notes'],
    part: subjectsOf,
  },
  'limit for max_count': { tool: 'git_log', given: { limit: 1 }, gives: () => ['Add the notes'], part: subjectsOf },
  'cached for staged': {
    tool: 'git_diff',
    given: { cached: true },
    gives: () => true,
    part: ({ diff }: { readonly diff: string }) => diff.includes('+staged'),
  },
  'commit for object': {
    tool: 'git_show',
    given: { commit: 'HEAD' },
    gives: () => true,
    part: (output: object) => JSON.stringify(output).includes('Add the notes'),
  },
  'repo for repository': {
    tool: 'git_status',
    given: { repo: '.' },
    gives: () => 'main',
    part: ({ branch }: { readonly branch: string }) => branch,
  },
  'a command line for a program': {
    tool: 'system_execute',
    given: { command: 'wc -l notes.txt' },
    gives: (facts) => shell(facts, 'wc -l notes.txt'),
    part: printed,
  },
  'program and args': {
    tool: 'system_execute',
    given: { program: 'wc', args: ['-c', 'notes.txt'] },
    gives: (facts) => shell(facts, 'wc -c notes.txt'),
    part: printed,
  },
  'expr for expression': { tool: 'math_evaluate', given: { expr: '6 * 7' }, gives: () => 42, part: resultOf },
  'min and max': {
    tool: 'math_random_number',
    given: { min: 7, max: 7 },
    gives: () => true,
    part: (output: object) => JSON.stringify(output).includes('7'),
  },
  'tool for name': {
    tool: 'toolkit_get_tool',
    given: { tool: 'text_count' },
    gives: () => 'text_count',
    part: ({ name }: { readonly name: string }) => name,
  },
  'query for sql': {
    tool: 'data_query',
    given: { query: 'SELECT count(*) FROM items', files: [{ path: 'items.csv' }] },
    gives: () => [[3]],
    part: rowsOf,
  },
  'a file for a table': {
    tool: 'data_query',
    given: { sql: "SELECT count(*) FROM 'items.csv'", files: [{ path: 'items.csv' }] },
    gives: () => [[3]],
    part: rowsOf,
  },
  'a column that there is not': {
    tool: 'data_query',
    given: { sql: 'SELECT max(prices) FROM items', files: [{ path: 'items.csv' }] },
    gives: () => [[9]],
    part: rowsOf,
  },
};

runJob<Readonly<Record<string, unknown>>, Facts>({
  number: 18,
  title: `${Object.keys(mistakes).length} typical mistakes, each followed by what its error says`,
  async prepare(folder, random) {
    const lines = Array.from(
      { length: 6 },
      (_, index) => `line ${index + 1}: ${random.oneOf(['Straße', 'tea', '東京'])} ${random.below(100)}`,
    );
    lines[3] = 'line 4 has call(1)';
    await writeFiles(folder, {
      'notes.txt': `${lines.join('\n')}\n`,
      'docs/readme.md': '# Read me\n',
      'old.txt': 'old\n',
      'edit.txt': 'one\ntwo\nx x x\n',
      'items.csv': 'name,price\na,9\nb,1\nc,3\n',
      'staged.md': 'staged\n',
    });
    const git = (...args: readonly string[]): void => {
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd: folder });
    };
    git('init', '-q', '--template=', '-b', 'main');
    git('add', 'notes.txt');
    git('commit', '-q', '-m', 'Add the notes');
    git('add', 'staged.md');
    return { folder, lines };
  },
  async steps(client) {
    const found: Record<string, unknown> = {};
    for (const [name, { tool, given, part }] of Object.entries(mistakes)) {
      const { text, output, isError } = await correctedOnce(client, { tool, arguments: given });
      found[name] = isError ? text : part(output as never);
    }
    return found;
  },
  expected: (_folder, facts) => Object.fromEntries(Object.entries(mistakes).map(([name, { gives }]) => [name, gives(facts)])),
});

/** Makes a wrong call, and the one that its error leads to; where that needs a person, as it says, a third with their yes. */
async function correctedOnce(client: JobClient, call: ToolCall): Promise<JobAnswer> {
  const first = await answer(client, call);
  if (!first.isError) throw new Error(`${JSON.stringify(call)} is no mistake.`);
  const second = followError(call, first.text);
  if (second === undefined) return first;
  const followed = await answer(client, second);
  if (!followed.text.startsWith('APPROVAL_REQUIRED')) return followed;
  return answer(client, followError(second, followed.text) ?? second);
}

async function answer(client: JobClient, { tool, arguments: given }: ToolCall): Promise<JobAnswer> {
  return (await client.guessedTool(tool)).answer(given);
}

function replacements({ replacements: count }: { readonly replacements: number }): number {
  return count;
}

function entriesOf({ entries }: { readonly entries: number }): number {
  return entries;
}

function digestOf({ digest }: { readonly digest: string }): string {
  return digest;
}

function resultOf({ result }: { readonly result: unknown }): unknown {
  return result;
}

function subjectsOf({ commits }: { readonly commits: readonly { readonly subject: string }[] }): readonly string[] {
  return commits.map(({ subject }) => subject);
}

function printed({ stdout }: { readonly stdout: string }): string {
  return stdout;
}

function rowsOf({ rows }: { readonly rows: unknown }): unknown {
  return rows;
}
