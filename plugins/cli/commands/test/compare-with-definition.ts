import type { Tool } from '../../../../kernel/index.ts';
import type { CassetteExample } from './cassette/cassette.ts';
import { diffLines, matches } from './cassette/compare.ts';
import type { Finding } from './report/tool-result.ts';

/** Compares the output with that of the definition's example with the same parameters. */
export async function compareWithDefinition(
  { definition }: Tool,
  { parameters }: Pick<CassetteExample, 'parameters'>,
  output: unknown,
): Promise<readonly Finding[]> {
  const same = (definition.examples ?? []).find((example) => matches(parameters, example.parameters));
  if (same?.output === undefined || matches(same.output, output)) return [];
  const message = 'the example of the definition promises another output. Correct its "output" there, or the tool';
  return [{ message, lines: await diffLines(same.output, output) }];
}
