import { type CallRequest, isPlainObject, messageOf, type Tool, ToolkitError } from '../../../../kernel/index.ts';
import type { Cassette, CassetteExample } from './cassette/cassette.ts';
import { cassetteFile, readCassette } from './cassette/cassette-file.ts';
import { diffLines, matches } from './cassette/compare.ts';
import type { Session } from './cassette/session.ts';
import { compareWithDefinition } from './compare-with-definition.ts';
import type { ExampleResult, Finding, ToolResult } from './report/tool-result.ts';
import { type Outcome, runExample, type TestSetup } from './run-example.ts';

/** Replays every example of a tool's cassette and compares its requests and its result. */
export async function testTool(setup: TestSetup, tool: Tool, request: Pick<CallRequest, 'signal'> = {}): Promise<ToolResult> {
  const { name } = tool;
  try {
    const cassette = await readCassette(tool);
    if (cassette === undefined) return { tool: name, status: 'missing', examples: [], findings: [{ message: missingAdvice(tool) }] };
    const examples: ExampleResult[] = [];
    for (const [index, example] of cassette.examples.entries()) {
      const outcome = await runExample(setup, tool, cassette, example, request);
      examples.push({
        example: example.description ?? `example ${index + 1}`,
        findings: await findingsOf(setup.session, tool, example, outcome),
      });
    }
    const findings = await notRecorded(tool, cassette);
    const hasFailed = findings.length > 0 || examples.some((example) => example.findings.length > 0);
    return { tool: name, status: hasFailed ? 'failed' : 'passed', examples, findings };
  } catch (error) {
    if (!ToolkitError.is(error) || error.code !== 'TOOL_INVALID') throw error;
    return { tool: name, status: 'failed', examples: [], findings: [{ message: messageOf(error) }] };
  }
}

function missingAdvice(tool: Tool): string {
  if (cassetteFile(tool) === undefined) return 'it was not read from a file, so it can have no cassette';
  if ((tool.definition.examples ?? []).length === 0) return 'it has no cassette, and no examples to record. Write an example first';
  return `it has no cassette. Record one: toolkit test ${tool.name} --record`;
}

/** Reports examples of the definition that the cassette lacks, or has with other parameters. */
async function notRecorded({ name, definition }: Tool, cassette: Cassette): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [index, { description, parameters }] of (definition.examples ?? []).entries()) {
    if (cassette.examples.some((example) => matches(example.parameters, parameters))) continue;
    const which = description === undefined ? `Example ${index + 1}` : `"${description}"`;
    const advice = `Record it: toolkit test ${name} --record`;
    const former = cassette.examples.find((example) => description !== undefined && example.description === description);
    if (former === undefined) findings.push({ message: `${which} of the definition is not in the cassette. ${advice}` });
    else
      findings.push({
        message: `${which} of the definition has other parameters than in the cassette. ${advice}`,
        lines: await diffLines(former.parameters, parameters),
      });
  }
  return findings;
}

async function findingsOf(session: Session, tool: Tool, example: CassetteExample, outcome: Outcome): Promise<readonly Finding[]> {
  // The error explains a call that ended before its first request.
  if ('error' in outcome && session.replayed.length === 0) return outcomeFindings(tool, example, outcome);
  const asked = await exchangeFindings(session);
  // Another request gets another response, so only the request is reported.
  return asked.length > 0 ? asked : outcomeFindings(tool, example, outcome);
}

const nouns: Readonly<Record<string, string>> = { http: 'request', program: 'run of a program', addresses: 'lookup of addresses' };

function nounOf(kind: string): string {
  return nouns[kind] ?? `exchange "${kind}"`;
}

async function exchangeFindings({ replayed, unused }: Session): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { request, exchange } of replayed) {
    if (exchange === undefined) findings.push({ message: 'asks for what was not recorded', lines: plus(request) });
    else if (!matches(exchange.request, request))
      findings.push({
        message: `its ${nounOf(exchange.kind)} is not the recorded one`,
        lines: await diffLines(exchange.request, request),
      });
  }
  for (const { kind, request } of unused) findings.push({ message: `the recorded ${nounOf(kind)} was not made`, lines: minus(request) });
  return findings;
}

async function outcomeFindings(tool: Tool, example: CassetteExample, outcome: Outcome): Promise<readonly Finding[]> {
  const expected = example.error === undefined ? { output: example.output ?? '*' } : { error: example.error };
  if ('output' in outcome) {
    const promised = await compareWithDefinition(tool, example, outcome.output);
    if (promised.length > 0) return promised;
    if ('output' in expected)
      return matches(expected.output, outcome.output)
        ? []
        : [{ message: 'its output is not the recorded one', lines: await diffLines(expected.output, outcome.output) }];
    return [{ message: `expected ${expected.error.code}, but it gave an output`, lines: plus(outcome.output) }];
  }
  const { error, cause } = outcome;
  if ('error' in expected && matches(expected.error, error)) return [];
  if ('error' in expected) return [{ message: 'its error is not the recorded one', lines: await diffLines(expected.error, error) }];
  const issues = error.code === 'OUTPUT_INVALID' ? (cause.details.issues ?? []) : [];
  return [
    {
      message: issues.length > 0 ? 'its output does not fit output_schema' : `it failed with ${error.code}: ${error.message}`,
      ...(issues.length > 0 ? { lines: issues.map(({ path, message }) => `${path === '' ? 'output' : path}: ${message}`) } : {}),
    },
  ];
}

function plus(value: unknown): readonly string[] {
  return textOf(value).map((line) => `+${line}`);
}

function minus(value: unknown): readonly string[] {
  return textOf(value).map((line) => `-${line}`);
}

function textOf(value: unknown): readonly string[] {
  return isPlainObject(value) || Array.isArray(value) ? JSON.stringify(value, null, 2).split('\n') : [JSON.stringify(value)];
}
