import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { besideCatalogue } from '../support/catalogue.ts';

export const program = path.resolve('dist/plugins/toolkit/main.js');
export const bareStdio = path.resolve('test/bench/servers/bare-stdio.mjs');
export const bareHttp = path.resolve('test/bench/servers/bare-http.mjs');

export const token = 'a-token-of-the-benchmark';

/** Ten rules, two of which look at the parameters of the tool that is called. None applies. */
const rules = Array.from({ length: 10 }, (_, n) =>
  n < 2
    ? `  - { match: { tool: "crypto_*" }, when: 'params.text == "${n}"', effect: deny, reason: "rule ${n}" }\n`
    : `  - { match: { provider: [github, slack], risk: [high] }, effect: deny, reason: "rule ${n}" }\n`,
);

const plugins = `
  - [toolkit/standard, { autoDiscover: true }]
  - [toolkit/plugins/mcp, { excludeTools: ${JSON.stringify(besideCatalogue)} }]
  - [toolkit/plugins/policy-rules, { file: policy.yaml }]
  - [toolkit/plugins/audit-trail, { path: calls.jsonl }]
`;

const files: Readonly<Record<string, string>> = {
  'policy.yaml': `rules:\n${rules.join('')}`,
  'toolkit.config.yaml': `plugins:${plugins}`,
};

/** Everything on, as an operator has it: all packages, a policy with ten rules, the audit trail. `more`: files beside, or instead. */
export async function benchFolder(more: Readonly<Record<string, string>> = files): Promise<{ cwd: string; remove(): Promise<void> }> {
  const cwd = await mkdtemp(path.join(os.tmpdir(), 'toolkit-bench-'));
  for (const [name, text] of Object.entries(more)) {
    await mkdir(path.dirname(path.join(cwd, name)), { recursive: true });
    await writeFile(path.join(cwd, name), text);
  }
  return { cwd, remove: () => rm(cwd, { recursive: true, force: true, maxRetries: 5 }) };
}
