import { execFileSync } from 'node:child_process';
import { writeFiles } from '../support/temporary.ts';
import { runJob } from './run-job.ts';

interface Facts {
  readonly folder: string;
}

interface Refused {
  readonly code: string | undefined;
  /** Tool and file are in the one question. */
  readonly asked: readonly boolean[];
  /** SHA-256 and name of each file that is still there, as `sha256sum` prints them. */
  readonly files: string;
}

/** Questions that the person was asked in this run. */
const questions: string[] = [];

runJob<Refused, Facts>({
  number: 27,
  title: 'a deletion that the person refuses',
  async prepare(folder, random) {
    questions.length = 0;
    const pages = Array.from({ length: 5 }, (_, index) => [`reports/${index}.txt`, `${random.next()}\n`] as const);
    await writeFiles(folder, Object.fromEntries(pages));
    return { folder };
  },
  server: () => ({ args: ['--approval', 'elicit'] }),
  person(question) {
    questions.push(question);
    return { action: 'decline' };
  },
  async steps(client, { folder }) {
    const remove = await client.tool('fs_delete', 'delete a file');
    const { text } = await remove.answer({ path: 'reports/3.txt' });
    return {
      code: /^[A-Z_]+/.exec(text)?.[0],
      asked: questions.map((question) => question.includes('fs_delete') && question.includes('reports/3.txt')),
      files: sums(folder),
    };
  },
  expected: (folder) => ({ code: 'APPROVAL_DENIED', asked: [true], files: sums(folder) }),
});

function sums(folder: string): string {
  return execFileSync('sh', ['-c', 'sha256sum reports/*'], { cwd: folder, encoding: 'utf8' });
}
