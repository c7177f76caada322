import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { python } from '../support/python.ts';
import type { Random } from '../support/random.ts';
import { runJob } from './run-job.ts';

const commits = 120;

/** A line that has moved to another file since it was written, and is gone today. */
const sought = 'retry_budget = min(retry_budget * 2, 30)';

interface Origin {
  readonly hash: string;
  readonly subject: string;
  readonly file: string;
}

runJob<Origin>({
  number: 4,
  title: 'commit that introduced a line',
  async prepare(folder, random) {
    const repository = path.join(folder, 'project');
    execFileSync('git', ['init', '-q', '--template=', '-b', 'main', repository]);
    execFileSync('git', ['fast-import', '--quiet'], { cwd: repository, input: history(random) });
    execFileSync('git', ['checkout', '-q', '-f', 'main'], { cwd: repository });
  },
  async steps(client) {
    const log = await client.tool('git_log', 'find the commit that added this line of code');
    const { commits: found } = await log.call<{ commits: readonly { hash: string; subject: string; files: readonly string[] }[] }>({
      repository: 'project',
      changed_text: sought,
    });
    // The last one listed brought it in, as the parameter says.
    const { hash = '', subject = '', files: [file = ''] = [] } = found.at(-1) ?? {};
    return { hash, subject, file };
  },
  // Looks into every file of every commit, the oldest first.
  expected: (folder) =>
    python(
      [
        'import subprocess',
        'def git(*args): return subprocess.run(["git", *args], cwd=given["repository"], capture_output=True, text=True, check=True).stdout',
        'result = None',
        'for commit in git("rev-list", "--reverse", "main").split():',
        '    for file in git("ls-tree", "-r", "--name-only", commit).split():',
        '        if given["sought"] in git("show", commit + ":" + file):',
        '            result = {"hash": commit, "subject": git("show", "-s", "--format=%s", commit).strip(), "file": file}',
        '            break',
        '    if result: break',
      ].join('\n'),
      { repository: path.join(folder, 'project'), sought },
    ),
});

/** Commits in the language of git fast-import; each changes lines of one file of five. */
function history(random: Random): string {
  const names = ['client.py', 'server.py', 'retry.py', 'limits.py', 'session.py'];
  const contents = new Map(
    names.map((name) => [name, Array.from({ length: 40 }, (_, index) => `${name[0]}_${index} = ${random.below(1000)}`)]),
  );
  const begins = random.between(20, 40);
  const moves = random.between(50, 70);
  const ends = random.between(80, 100);
  const from = random.oneOf(names);
  const to = random.oneOf(names.filter((name) => name !== from));
  const change = (name: string, changed: (lines: string[]) => string[]): void => void contents.set(name, changed(contents.get(name) ?? []));
  const without = (lines: string[]): string[] => lines.filter((line) => line !== sought);
  const stream = Array.from({ length: commits }, (_, index) => {
    const name = random.oneOf(names);
    change(name, (lines) => lines.with(random.below(lines.length - 1), `${name[0]}_${index} = ${random.below(1000)}`));
    if (index === begins) change(from, (lines) => [...lines, sought]);
    if (index === moves) change(from, without);
    if (index === moves) change(to, (lines) => [...lines, sought]);
    if (index === ends) change(to, without);
    const subject = `Set ${name} to ${random.below(1e6)}`;
    const files = [...contents].map(([file, lines]) => `M 100644 inline ${file}\n${data(`${lines.join('\n')}\n`)}`);
    const person = `Ada Lovelace <ada@example.org> ${1_767_225_600 + index * 3600} +0000`;
    return `commit refs/heads/main\ncommitter ${person}\n${data(subject)}${files.join('')}\n`;
  });
  return stream.join('');
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
