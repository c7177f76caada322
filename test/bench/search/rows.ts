import { Toolkit } from '../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { isCatalogued } from '../../support/catalogue.ts';
import { figureRow, type Row } from '../rows.ts';
import { loadQuestions } from './questions.ts';
import { measureSpeed } from './speed.ts';

const tools = 10_000;

/** How fast the search is among many tools, and how long it keeps others waiting. */
export async function search(): Promise<Row[]> {
  const toolkit = await Toolkit.init({ autoDiscover: true, logger: memoryLogger() });
  const questions = (await loadQuestions()).map(({ question }) => question);
  const { searchP99Ms, longestBuildTurnMs } = await measureSpeed(
    [...toolkit.kernel.registry.tools.values()].filter(({ name }) => isCatalogued(name)),
    questions,
    tools,
  );
  await toolkit.close();
  return [
    figureRow(`search over ${tools} tools, p99`, { value: searchP99Ms, unit: 'ms', most: 15 }),
    figureRow('the longest that others wait while its index is made', { value: longestBuildTurnMs, unit: 'ms', most: 50 }),
  ];
}
