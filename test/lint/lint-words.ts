import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { type SourceWords, sourceWords } from './source-words.ts';
import { type WordRules, wordProblems } from './word-rules.ts';

const run = promisify(execFile);

/** Files that are broken on purpose. */
const unparsed = /^fixtures\/configs\/broken\//;

/** Checks doc comments and names of all code of the project. Prints what to change, and ends with 1 where there is something. */
async function main(): Promise<void> {
  const rules = parse(await readFile('test/lint/plain-words.yaml', 'utf8')) as WordRules;
  const code = await trackedFiles('*.ts', '*.mjs');
  const problems: string[] = [];
  for (const file of code) problems.push(...wordProblems(file, sourceWords(await readFile(file, 'utf8'), file), rules));
  for (const [file, words] of Object.entries(await pythonWords(await trackedFiles('*.py'))))
    problems.push(...wordProblems(file, words, rules));
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  if (problems.length === 0) return;
  process.stdout.write(`${problems.length} words to replace (test/lint/plain-words.yaml).\n`);
  process.exitCode = 1;
}

async function trackedFiles(...patterns: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...patterns], {
    maxBuffer: 2 ** 26,
  });
  return stdout.split('\0').filter((file) => file !== '' && !unparsed.test(file));
}

async function pythonWords(files: readonly string[]): Promise<Readonly<Record<string, SourceWords>>> {
  const { stdout } = await run('python3', ['test/lint/python_words.py', ...files], { maxBuffer: 2 ** 28 });
  // Own text: python_words.py wrote it.
  return JSON.parse(stdout) as Record<string, SourceWords>;
}

await main();
