import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import writeExcelFile from 'write-excel-file/node';
import { randomNumbers } from '../../support/random.ts';
import { writeFiles } from '../../support/temporary.ts';
import { makePdf } from '../../tools/core/convert/make-pdf.ts';
import type { Followed } from './follow.ts';

type Output = Readonly<Record<string, unknown>>;

/** A call whose output is longer than a model is shown. */
export interface Input {
  readonly title: string;
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Returns the part of outputs that must come whole, of the one of host code and of those that a model has followed. */
  wholeOf(outputs: readonly Output[], followed: readonly Followed[]): unknown;
  /** The same, where host code gets less. */
  readonly expected?: unknown;
}

const random = randomNumbers(44);
const word = (): string => ['alpha', 'Grüße', '世界', '👋🏽', '"quoted"', '\\', 'x\u0001y', '\t'][Math.floor(random() * 8)] ?? '';
const sentence = (): string => Array.from({ length: 1 + Math.floor(random() * 12) }, word).join(' ');
const text = Array.from({ length: 700 }, sentence).join('\n');
const rows = Array.from({ length: 400 }, (_, row) => `${row},"${sentence().replaceAll('"', '""')}",${row % 7 === 0 ? 'x' : row}`);

const columns = Array.from({ length: 36 }, (_, index) => `column_${index}`);

const calendar = [
  'BEGIN:VCALENDAR',
  ...Array.from({ length: 120 }, (_, index) => [
    'BEGIN:VEVENT',
    `UID:${index}`,
    `SUMMARY:Meeting ${index}`,
    `DTSTART:2026030${1 + (index % 9)}T${String(index % 24).padStart(2, '0')}0000Z`,
    'END:VEVENT',
  ]).flat(),
  'END:VCALENDAR',
].join('\r\n');

/** Fills a folder with what the inputs name. */
export async function writeInputs(folder: string): Promise<void> {
  const git = (...args: string[]): void => void execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' });
  await writeFiles(folder, {
    'long.txt': text,
    'marked.txt': `\ufeff${text}\n`,
    'one-line.txt': text.replaceAll('\n', ' '),
    'short.txt': 'a\nb\n',
    'old.txt': 'first\n',
    'table.csv': `number,text,odd\n${rows.join('\n')}\n`,
    'wide.csv': `${columns.join(',')}\n${columns.map(() => 1).join(',')}\n`,
    'team.ics': calendar,
    'left/same.txt': 'a',
    'right/same.txt': 'a',
    ...Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [`${index % 2 === 0 ? 'left' : 'right'}/file-${index}-with-a-long-name.txt`, 'x']),
    ),
    ...Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`many/file-${index}.txt`, `${sentence()}\n`])),
  });
  await writeFile(path.join(folder, 'latin1.txt'), Buffer.from(Array.from({ length: 9000 }, (_, index) => (index % 223) + 32)));
  await writeFile(
    path.join(folder, 'report.pdf'),
    makePdf(
      Array.from({ length: 12 }, (_, page) =>
        Array.from({ length: page === 4 ? 300 : 9 }, (_line, line) => `page ${page + 1}, line ${line}: the sum of it`),
      ),
    ),
  );
  await writeExcelFile([{ sheet: 'A', data: rows.slice(0, 200).map((row) => row.split(',')) }]).toFile(path.join(folder, 'book.xlsx'));
  execFileSync('tar', ['-czf', path.join(folder, 'many.tgz'), '-C', folder, 'many']);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.com');
  git('add', 'many', 'old.txt');
  git('commit', '--quiet', '--message=One');
  await writeFiles(folder, {
    'old.txt': `${text.slice(0, 6000)}\nlast\n`,
    ...Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`many/file-${index}.txt`, `${word()}!\n`])),
  });
  git('add', 'many', 'old.txt');
  git('commit', '--quiet', '--message=Two');
}

const joined =
  (...members: readonly string[]) =>
  (outputs: readonly Output[]): unknown =>
    Object.fromEntries(
      members.map((name) => {
        const parts = outputs.map((output) => output[name] ?? '');
        return [name, Array.isArray(parts[0]) ? parts.flat() : parts.join('')];
      }),
    );

const bytes =
  (encoding: BufferEncoding) =>
  (outputs: readonly Output[]): unknown =>
    Buffer.concat(outputs.map(({ content }) => Buffer.from(String(content), encoding))).toString('hex');

/** Lines of which one may go on in the next part. */
function linesOf(outputs: readonly Output[]): unknown {
  const lines: string[] = [];
  let isOpen = false;
  for (const { lines: more, next_column: column } of outputs) {
    const [first, ...others] = more as readonly string[];
    if (first !== undefined) lines.push(isOpen ? `${lines.pop()}${first}` : first);
    lines.push(...others);
    isOpen = column !== undefined;
  }
  return lines.join('\n');
}

/** Pages of which one may go on in the next part. */
function pagesOf(outputs: readonly Output[]): unknown {
  const texts = new Map<unknown, string>();
  for (const { pages } of outputs)
    for (const { number, text: more } of pages as readonly { number: number; text: string }[])
      texts.set(number, (texts.get(number) ?? '') + more);
  return [...texts];
}

/** Contents of files, of which each goes on by another tool. */
function filesOf(_outputs: readonly Output[], followed: readonly Followed[]): unknown {
  const contents = new Map<unknown, string>();
  const add = (name: unknown, content: unknown): void => void contents.set(name, `${contents.get(name) ?? ''}${String(content)}`);
  for (const { parameters, output } of followed)
    if (Array.isArray((output as Output)['files']))
      for (const { path: name, content } of (output as { files: Output[] }).files as { path: string; content: string }[])
        add(name, content);
    else add(parameters['path'], (output as Output)['content']);
  return [...contents];
}

const program = 'for (let n = 0; n < 1500; n++) console.log(n, `"of" 1500`)';

export const inputs: readonly Input[] = [
  { title: 'a text', tool: 'fs_read_file', parameters: { path: 'long.txt' }, wholeOf: joined('content') },
  { title: 'a text with a byte order mark', tool: 'fs_read_file', parameters: { path: 'marked.txt' }, wholeOf: joined('content') },
  { title: 'bytes', tool: 'fs_read_file', parameters: { path: 'latin1.txt', encoding: 'base64' }, wholeOf: bytes('base64') },
  { title: 'an old encoding', tool: 'fs_read_file', parameters: { path: 'latin1.txt', encoding: 'latin1' }, wholeOf: joined('content') },
  { title: 'lines', tool: 'fs_read_lines', parameters: { path: 'marked.txt' }, wholeOf: linesOf, expected: text },
  { title: 'lines of a range', tool: 'fs_read_lines', parameters: { path: 'long.txt', start: 20, end: 400 }, wholeOf: linesOf },
  {
    title: 'one long line',
    tool: 'fs_read_lines',
    parameters: { path: 'one-line.txt' },
    wholeOf: linesOf,
    expected: text.replaceAll('\n', ' '),
  },
  { title: 'files', tool: 'fs_read_many', parameters: { paths: ['short.txt', 'long.txt', 'one-line.txt'] }, wholeOf: filesOf },
  { title: 'a diff', tool: 'git_diff', parameters: { from: 'HEAD~1', to: 'HEAD' }, wholeOf: joined('files', 'diff') },
  { title: 'names of changed files', tool: 'git_diff', parameters: { from: 'HEAD~1', to: 'HEAD', stat: true }, wholeOf: joined('files') },
  { title: 'a commit', tool: 'git_show', parameters: { object: 'HEAD' }, wholeOf: joined('files', 'diff') },
  { title: 'a file of a commit', tool: 'git_show', parameters: { object: 'HEAD', path: 'old.txt' }, wholeOf: joined('content') },
  { title: 'a folder of a commit', tool: 'git_show', parameters: { object: 'HEAD', path: 'many' }, wholeOf: joined('entries') },
  { title: 'an archive', tool: 'archive_list', parameters: { path: 'many.tgz' }, wholeOf: joined('entries') },
  {
    title: 'rows',
    tool: 'convert_csv_to_json',
    parameters: { text: `number,text,odd\n${rows.join('\n')}\n1,2\n` },
    wholeOf: joined('rows', 'errors'),
  },
  {
    title: 'rows of which one is longer than an answer',
    tool: 'convert_csv_to_json',
    parameters: { text: `number,text\n1,a\n2,${'long '.repeat(2000)}\n3,b\n` },
    wholeOf: joined('rows'),
  },
  {
    title: 'rows of a query',
    tool: 'data_query',
    parameters: { sql: 'SELECT * FROM t', files: [{ path: 'table.csv', table: 't' }], max_rows: 5000 },
    wholeOf: joined('rows'),
  },
  { title: 'columns of a table', tool: 'data_describe', parameters: { path: 'wide.csv' }, wholeOf: joined('columns') },
  { title: 'rows of a sheet', tool: 'sheet_read', parameters: { path: 'book.xlsx', max_rows: 1000 }, wholeOf: joined('rows') },
  { title: 'events', tool: 'calendar_read', parameters: { path: 'team.ics' }, wholeOf: joined('events') },
  { title: 'folders', tool: 'fs_compare_files', parameters: { left: 'left', right: 'right' }, wholeOf: joined('differences') },
  { title: 'found files', tool: 'fs_find', parameters: { path: '.', pattern: '**/*.txt' }, wholeOf: joined('paths') },
  {
    title: 'matching lines',
    tool: 'fs_search',
    parameters: { path: '.', pattern: 'file|alpha', max_results: 5000 },
    wholeOf: joined('matches'),
  },
  {
    title: 'problems of a value',
    tool: 'json_validate',
    parameters: {
      data: Array.from({ length: 300 }, (_, index) => `${index}`),
      schema: { type: 'array', items: { type: 'number' } },
      max_errors: 20,
    },
    wholeOf: joined('errors'),
    expected: {
      errors: Array.from({ length: 300 }, (_, index) => ({
        path: `[${index}]`,
        pointer: `/${index}`,
        message: `expected number, received string "${index}"`,
      })),
    },
  },
  { title: 'pages, one longer than an answer', tool: 'convert_pdf_to_text', parameters: { path: 'report.pdf' }, wholeOf: pagesOf },
  {
    title: 'what a program prints',
    tool: 'system_execute',
    parameters: { command: process.execPath, arguments: ['-e', program], _toolkit_approved: true },
    wholeOf: joined('stdout', 'stderr'),
  },
];
