import type { Tool } from '../../../../kernel/index.ts';
import type { CassetteExample } from './cassette/cassette.ts';
import { differenceOf, fits } from './cassette/compare.ts';
import type { Finding } from './report/tool-result.ts';

/** What is wrong where the example of the definition with these parameters promises another output than this. */
export async function promiseFindings(
  { definition }: Tool,
  { parameters }: Pick<CassetteExample, 'parameters'>,
  output: unknown,
): Promise<readonly Finding[]> {
  const same = (definition.examples ?? []).find((example) => fits(parameters, example.parameters));
  if (same?.output === undefined || fits(same.output, output)) return [];
  const message = 'the example of the definition promises another output. Correct its "output" there, or the tool';
  return [{ message, lines: await differenceOf(same.output, output) }];
}
