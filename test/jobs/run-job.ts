import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { stdioClient } from '../e2e/program.ts';
import { Random } from '../support/random.ts';
import { temporaryFolder, writeFiles } from '../support/temporary.ts';
import type { Job } from './job.ts';
import { JobClient, type JobExposure } from './job-client.ts';

const seed = Number(process.env['TOOLKIT_JOBS_SEED'] ?? 1);

const exposures: readonly JobExposure[] = ['all', 'search'];

/** Declares the tests of a job: in each exposure its answer is right, and it costs no more than it may. Prints the cost, a line a job. */
export function runJob<Answer, Facts = void>(job: Job<Answer, Facts>): void {
  describe(`job ${job.number}, ${job.title} (TOOLKIT_JOBS_SEED=${seed})`, () => {
    for (const exposure of exposures)
      it(`is done right${job.maxTokens === undefined ? '' : ` for at most ${job.maxTokens} tokens`}, with ${listed[exposure]}`, async () => {
        const folder = await projectFolder();
        const facts = await job.prepare(folder, new Random(seed));
        const expected = await job.expected(folder, facts);
        const client = await clientIn(folder, exposure, job, facts);
        const answer = await job.steps(client, facts);
        process.stdout.write(`      ${costLine(job, client)}\n`);
        expect(answer).to.deep.equal(expected);
        const { shownTokens, typedTokens } = client.cost;
        if (job.maxTokens !== undefined) expect(shownTokens + typedTokens, costLine(job, client)).to.be.at.most(job.maxTokens);
      });
  });
}

const listed: Readonly<Record<JobExposure, string>> = { all: 'all tools listed', search: 'tools found by search' };

/** A project that names the package of tables. */
async function projectFolder(): Promise<string> {
  const folder = await temporaryFolder({ 'package.json': '{ "name": "a-project", "dependencies": { "@toolkit/data": "*" } }' });
  const packages = path.join(folder, 'node_modules/@toolkit');
  await mkdir(packages, { recursive: true });
  await symlink(path.resolve('.'), path.join(packages, 'core'), 'dir');
  await symlink(path.resolve('tools/data'), path.join(packages, 'data'), 'dir');
  return folder;
}

async function clientIn<Answer, Facts>(folder: string, exposure: JobExposure, job: Job<Answer, Facts>, facts: Facts): Promise<JobClient> {
  const { configuration, args = [], env = {} } = job.server?.(facts) ?? {};
  // In the project's folder, where the server finds it and which is its root.
  if (configuration !== undefined) await writeFiles(folder, { 'toolkit.config.yaml': configuration });
  const { client } = await stdioClient(['--expose', exposure, ...args], {
    cwd: folder,
    env,
    capabilities: job.person === undefined ? {} : { elicitation: {} },
  });
  if (job.person !== undefined) {
    const { person } = job;
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params.message));
  }
  return new JobClient(client, exposure);
}

function costLine<Answer, Facts>({ number, title }: Job<Answer, Facts>, { exposure, cost }: JobClient): string {
  const { calls, shownTokens, typedTokens } = cost;
  return `job ${number} | ${title} | ${exposure} | ${calls} calls | ${shownTokens + typedTokens} tokens, ${shownTokens} shown and ${typedTokens} typed`;
}
