/**
 * How often the search finds the right tool, and how fast. The tune half of our questions may be looked at while something is changed; the
 * held half is a published figure, of which only the totals are printed. MetaTool is read from `../shared/search-eval`, where it is.
 * `npm run bench search -- --quick` leaves out MetaTool and the speed.
 */
import path from 'node:path';
import type { Tool } from '../../../kernel/index.ts';
import { foundTools } from '../../../plugins/shared/search/ranked-tools.ts';
import { Toolkit } from '../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { isCatalogued } from '../../support/catalogue.ts';
import { loadMetaTool } from './metatool.ts';
import { loadQuestions, type Question } from './questions.ts';
import { type Search, searches } from './searches.ts';
import { measureSpeed } from './speed.ts';

type Asked = Pick<Question, 'question' | 'tools'>;

const toolkit = await Toolkit.init({ autoDiscover: true, logger: memoryLogger() });
const tools = [...toolkit.kernel.registry.tools.values()].filter(({ name }) => isCatalogued(name));
const questions = await loadQuestions();
const isQuick = process.argv.includes('--quick');

print('', 'first', 'among five', 'questions');
for (const half of ['tune', 'held'] as const) {
  await compare(
    `ours, ${half} half`,
    tools,
    questions.filter((question) => question.half === half),
  );
}
for (const half of ['tune', 'held'] as const) {
  const asked = questions.filter((question) => question.half === half);
  const found = await Promise.all(asked.map(({ question }) => foundTools(tools, { query: question, limit: 5 })));
  const doubted = found.filter(({ fitsWell }) => !fitsWell).length;
  print(`ours, ${half} half: told that nothing fits well`, percent(doubted / asked.length), '', String(asked.length));
}
if (!isQuick) {
  const folder = path.resolve('../shared/search-eval');
  const metaTool = await loadMetaTool(folder);
  if (metaTool === undefined) process.stdout.write(`MetaTool: left out, ${folder} is not there\n`);
  else {
    await compare('MetaTool, names and descriptions', metaTool.bare, metaTool.questions);
    await compare('MetaTool, and ten questions a tool', metaTool.taught, metaTool.rest);
  }
  const asked = questions.map(({ question }) => question);
  process.stdout.write('\n');
  print('', 'p50', 'p99', 'others wait', 'index', 'others wait');
  for (const count of [tools.length, 10_000, 100_000]) {
    const speed = await measureSpeed(tools, count > 10_000 ? asked.slice(0, 100) : asked, count);
    const { searchP50Ms, searchP99Ms, longestSearchTurnMs, buildMs, longestBuildTurnMs } = speed;
    print(`a search over ${count} tools`, ...[searchP50Ms, searchP99Ms, longestSearchTurnMs, buildMs, longestBuildTurnMs].map(ms));
  }
}
await toolkit.close();

async function compare(what: string, among: readonly Tool[], asked: readonly Asked[]): Promise<void> {
  for (const [name, searchOf] of Object.entries(searches)) {
    const { first, five } = await measure(searchOf(among), asked);
    print(`${what}: ${name}`, percent(first / asked.length), percent(five / asked.length), String(asked.length));
  }
}

async function measure(search: Search, asked: readonly Asked[]): Promise<{ readonly first: number; readonly five: number }> {
  let first = 0;
  let five = 0;
  for (const { question, tools: right } of asked) {
    const found = (await search(question)).slice(0, 5);
    if (right.includes(found[0] ?? '')) first++;
    if (found.some((name) => right.includes(name))) five++;
  }
  return { first, five };
}

function print(what: string, ...figures: readonly string[]): void {
  process.stdout.write(`${what.padEnd(66)}${figures.map((figure) => figure.padStart(12)).join('')}\n`);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
