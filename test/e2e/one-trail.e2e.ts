import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect } from 'chai';
import type { JsonValue } from '../../kernel/index.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { until } from '../support/until.ts';
import { httpClient, start, stdioClient } from './program.ts';

/** Calls in all: `npm run test:suite trail:whole` makes 5,000. */
const calls = Number(process.env['TOOLKIT_TRAIL_CALLS'] ?? 400);
const runs = Math.ceil(calls / 500) + 2;
const atOnce = 16;

const files = {
  // Files so small that each is rotated many times in a whole round.
  'toolkit.config.yaml': [
    'plugins:',
    '  - [toolkit/standard, { toolPaths: [tools] }]',
    '  - [toolkit/plugins/audit-trail, { path: trail/, maxBytes: 65536, maxRotatedFiles: 0 }]',
    '',
  ].join('\n'),
  'tools/mark_call.yaml': JSON.stringify({
    name: 'mark_call',
    description: 'Marks that it has begun.',
    risk: 'medium',
    parameters: { id: { type: 'string', required: true }, hold: { type: 'boolean' } },
    execution: { type: 'function', code: './mark.mjs' },
  }),
  'tools/mark.mjs': [
    "import { appendFileSync } from 'node:fs';",
    "const begun = new URL('../begun', import.meta.url);",
    'export default ({ id, hold }) => {',
    '  appendFileSync(begun, id + String.fromCharCode(10));',
    '  return hold ? new Promise(() => setInterval(() => {}, 60000)) : { id };',
    '};',
    '',
  ].join('\n'),
};

/** Calls whose answers came, and all whose tool ran. */
class Calls {
  readonly answered = new Set<string>();
  readonly cwd: string;

  constructor(cwd: string) {
    this.cwd = cwd;
  }

  async begun(): Promise<ReadonlySet<string>> {
    const text = await readFile(path.join(this.cwd, 'begun'), 'utf8').catch(() => '');
    return new Set(text.split('\n').slice(0, -1));
  }

  async hasBegun(...ids: readonly string[]): Promise<void> {
    await until(async () => {
      const begun = await this.begun();
      return ids.every((id) => begun.has(id)) || undefined;
    });
  }

  /** Makes calls until they are made or their server is gone. */
  async make(client: Client, { prefix, count }: { readonly prefix: string; readonly count: number }, onAnswer = (): void => {}) {
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < count) {
        const id = `${prefix}-${next++}`;
        const answer = await client.callTool({ name: 'mark_call', arguments: { id } }).catch(() => undefined);
        if (answer === undefined) return;
        expect(answer.isError, JSON.stringify(answer)).to.not.equal(true);
        this.answered.add(id);
        onAnswer();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }
}

/** Reads the records of a folder by the call id among their parameters. */
async function recordsIn(folder: string) {
  const intents = new Set<string>();
  const outcomes = new Map<string, JsonValue>();
  for (const name of await readdir(folder)) {
    if (!/^\d.*\.jsonl(\.\d+)?$/.test(name)) continue;
    for (const line of (await readFile(path.join(folder, name), 'utf8')).split('\n')) {
      // Half a line of a killed process is none.
      const record = line.endsWith('}') ? JSON.parse(line) : {};
      const id = record.parameters?.id;
      if (id === undefined) continue;
      if (record.event === 'intent') intents.add(id);
      else outcomes.set(id, record.outcome);
    }
  }
  return { intents, outcomes };
}

describe('one trail of two servers over stdio, one over HTTP and toolkit run', function () {
  this.timeout(600_000);

  it(`verifies after ${calls} calls and a SIGKILL of each kind, and has each call that was answered or had begun`, async () => {
    const cwd = await temporaryFolder(files);
    const made = new Calls(cwd);
    const share = Math.floor((calls - runs) / 3);
    const [first, second] = [await stdioClient([], { cwd }), await stdioClient([], { cwd })];
    const server = start(['mcp', '--transport', 'http', '--port', '0', '--token', 'the-token'], { cwd });
    const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
    const overHttp = await httpClient(url, 'the-token');
    const run = (id: string, ...more: readonly string[]) => start(['run', 'mark_call', '--id', id, ...more], { cwd });

    const killedInTheMiddle = async (): Promise<void> => {
      let answers = 0;
      await made.make(first.client, { prefix: 'first', count: share }, () => {
        if (++answers === Math.floor(share / 2)) process.kill(first.transport.pid ?? 0, 'SIGKILL');
      });
      // Goes on with the segment that the killed one has left.
      const heir = await stdioClient([], { cwd });
      await made.make(heir.client, { prefix: 'heir', count: share - answers });
    };
    const runOneByOne = async (): Promise<void> => {
      for (let number = 0; number < runs; number++) {
        const one = run(`run-${number}`);
        expect((await one.exit).code, one.stderr()).to.equal(0);
        made.answered.add(`run-${number}`);
      }
    };
    const killedWhileAllRun = async (): Promise<void> => {
      await made.make(overHttp, { prefix: 'http', count: share });
      const held = Array.from({ length: atOnce }, (_, number) => `http-held-${number}`);
      for (const id of held) void overHttp.callTool({ name: 'mark_call', arguments: { id, hold: true } }).catch(() => {});
      const alone = run('run-held', '--hold');
      await made.hasBegun(...held, 'run-held');
      server.child.kill('SIGKILL');
      alone.child.kill('SIGKILL');
      await Promise.all([server.exit, alone.exit]);
    };
    await Promise.all([
      killedInTheMiddle(),
      made.make(second.client, { prefix: 'second', count: share }),
      killedWhileAllRun(),
      runOneByOne(),
    ]);

    const verify = start(['audit', 'verify', 'trail', '--json'], { cwd });
    const { code } = await verify.exit;
    const report = JSON.parse(verify.stdout());
    expect({ code, problems: report.problems }).to.deep.equal({ code: 0, problems: [] });
    const { intents, outcomes } = await recordsIn(path.join(cwd, 'trail'));
    const begun = await made.begun();
    expect(made.answered.size).to.be.at.least(calls - runs - atOnce - 3);
    expect(
      [...made.answered].filter((id) => outcomes.get(id) !== 'completed'),
      'answered, and without an outcome',
    ).to.deep.equal([]);
    expect(
      [...begun].filter((id) => !intents.has(id)),
      'begun, and without an intent',
    ).to.deep.equal([]);
    const unfinished = [...begun].filter((id) => !outcomes.has(id));
    expect(unfinished).to.include.members(['run-held', 'http-held-0', `http-held-${atOnce - 1}`]);
    expect(report.unfinishedCount).to.equal([...intents].filter((id) => !outcomes.has(id)).length);
    // A segment that was left is continued: there are never more than processes at once.
    expect(report.segments.length).to.be.within(3, 6);
  });
});
