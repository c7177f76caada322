/**
 * Writes the cassettes of shipped tools that are missing or do not pass: `npm run cassettes`; or those of all tools whose names begin so:
 * `npm run cassettes -- slack_ git_status`. Services are stood in for by the facts of `fixtures/requests/`; everything else runs for real, in the surroundings of `surroundings.ts`.
 */
import { apiVersion, createKernel, definePlugin, type JsonObject, type Kernel, type Plugin, type Tool } from '../../../kernel/index.ts';
import type { Cassette } from '../../../plugins/cli/commands/test/cassette/cassette.ts';
import { readCassette, writeCassette } from '../../../plugins/cli/commands/test/cassette/cassette-file.ts';
import { Scratch } from '../../../plugins/cli/commands/test/cassette/scratch.ts';
import { type OutboundRequest, Session } from '../../../plugins/cli/commands/test/cassette/session.ts';
import { recordTool } from '../../../plugins/cli/commands/test/record-tool.ts';
import type { TestSetup } from '../../../plugins/cli/commands/test/run-example.ts';
import { testPlugins } from '../../../plugins/cli/commands/test/seams/test-kernel.ts';
import { testTool } from '../../../plugins/cli/commands/test/test-tool.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import type { Answer } from '../fixture-shapes.ts';
import { type ExampleFixture, exampleFixtures, fixtureProviders, providerFixture } from '../request-fixtures.ts';
import { usePlainGit } from './git-repository.ts';
import { shippedPlugins } from './shipped-plugins.ts';
import type { ShopDatabase } from './shop-database.ts';
import { type Surroundings, surroundingsOf } from './surroundings.ts';

const fixtures = new Map<string, readonly ExampleFixture[]>();
const env: Record<string, string> = {};
for (const provider of await fixtureProviders()) {
  for (const [tool, examples] of await exampleFixtures(provider)) fixtures.set(tool, examples);
  Object.assign(env, (await providerFixture(provider)).env);
}

Object.assign(env, surroundingsOf('crypto_').credentials);

usePlainGit();
const scratch = await Scratch.open();
let now: Surroundings = {};
let left: Answer[] = [];
const started = new Map<NonNullable<Surroundings['start']>, ShopDatabase>();

/** The folder of live runs, in which more is made than a replay needs. */
const prepared = Object.create(scratch, {
  fill: {
    value: async (files: Cassette['files']) => {
      await scratch.fill(files);
      now.prepare?.(scratch.folder);
    },
  },
}) as Scratch;

/** Where the surroundings have a response for an exchange, nobody is asked. */
class SurroundedSession extends Session {
  override exchange<Answer>(asked: OutboundRequest<Answer>): Promise<Answer> {
    const response = now.responses?.[asked.kind];
    const live = async (): Promise<Answer> => asked.fromRecorded(response?.(asked.request as JsonObject));
    return super.exchange(response === undefined ? asked : { ...asked, send: live });
  }
}

/** Answers what tools ask over HTTP. */
const standIn = definePlugin({
  name: 'stand-in',
  apiVersion,
  apply: ({ extend }) =>
    extend.fetch(() => async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      if (now.answers !== undefined) return Object.defineProperty(now.answers(url, init), 'url', { value: url.href });
      const answer = left.shift();
      if (answer === undefined) throw new Error(`nobody stands in for ${url.href}`);
      const { status = 200, headers = {}, body } = answer;
      const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
      return new Response(text, { status, headers: { ...(text === null ? {} : { 'content-type': 'application/json' }), ...headers } });
    }),
});

async function stage(session: Session, ...more: readonly Plugin[]): Promise<TestSetup> {
  const plugins = testPlugins({ plugins: [...shippedPlugins(env), ...more] }, session);
  const kernel = await createKernel({ plugins, logger: memoryLogger() });
  return { kernel, session };
}

async function cassetteOf(live: TestSetup, replay: TestSetup, tool: Tool): Promise<Cassette> {
  const former = await readCassette(tool);
  now = surroundingsOf(tool.name);
  left = (fixtures.get(tool.name) ?? []).flatMap(({ answers }) => answers);
  const { files, credentials, start } = now;
  if (start !== undefined && !started.has(start)) {
    const opened = await start();
    started.set(start, opened);
    Object.assign(env, opened.env);
  }
  const { examples = [] } = tool.definition;
  if (now.kept !== undefined)
    return { tool: tool.name, runs: false, examples: examples.map((example, index) => ({ ...example, output: now.kept?.[index] })) };
  const seed = { tool: tool.name, ...(files === undefined ? {} : { files }), ...(credentials === undefined ? {} : { credentials }) };
  const { cassette, examples: results } = await recordTool(live, replay, tool, { ...seed, examples: former?.examples ?? [] });
  if (cassette !== undefined && now.isOpen === true)
    return { ...cassette, examples: cassette.examples.map((example) => ({ ...example, output: '*' })) };
  if (cassette !== undefined) return cassette;
  throw new Error(results.flatMap(({ example, findings }) => findings.map(({ message }) => `${example}: ${message}`)).join('\n'));
}

const replay = await stage(new Session(false, scratch));
const live = await stage(new SurroundedSession(true, prepared), standIn());
const prefixes = process.argv.slice(2);
const kernels: readonly Kernel[] = [replay.kernel, live.kernel];
let failures = 0;
for (const tool of replay.kernel.registry.tools.values()) {
  const isNamed = prefixes.some((prefix) => tool.name.startsWith(prefix));
  if (!isNamed && (prefixes.length > 0 || (await testTool(replay, tool)).status === 'passed')) continue;
  try {
    // No secret of a fixture is one.
    await writeCassette(tool, await cassetteOf(live, replay, tool), { mask: (value) => value });
  } catch (error) {
    failures++;
    process.stderr.write(`${tool.name}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
for (const kernel of kernels) await kernel.close();
for (const opened of started.values()) await opened.stop();
await scratch.close();
process.exitCode = failures === 0 ? 0 : 1;
