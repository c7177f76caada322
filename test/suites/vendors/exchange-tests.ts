import { inspect, isDeepStrictEqual } from 'node:util';
import { checkValue, type JsonValue, messageOf, type Tool, ToolkitError } from '../../../kernel/index.ts';
import { type AnswerVariant, answering, answerVariants } from './answers.ts';
import { findingsInMail, withoutMail } from './composed-mail.ts';
import { expectedRequest } from './expected-request.ts';
import { Findings } from './findings.ts';
import { asAnswered } from './paged-answer.ts';
import { type RequestVariant, requestVariants, requiredCall } from './request-variants.ts';
import { findingsInHeaders } from './sent-headers.ts';
import { readRequest } from './sent-request.ts';
import type { DescribedTool, Sources } from './sources.ts';
import { type CallTrace, openVendors, type Vendors, vendorNames } from './vendors.ts';

/** Requests and answers of every tool against the description of its operation. */
export function testExchanges({ providers, described }: Sources): void {
  describe('the provider packs and the API descriptions', () => {
    let vendors: Vendors;

    before(async () => {
      vendors = await openVendors(vendorNames(providers));
    });

    after(() => vendors.close());

    for (const one of described) {
      const { tool, operation } = one;
      const answers = answerVariants(operation.answers);

      it(`${tool.name} sends what the description of ${operation.method} ${operation.path} allows`, async () => {
        const loaded = vendors.toolkit.kernel.registry.get(tool.name);
        const findings = new Findings();
        for (const variant of requestVariants(loaded)) {
          const trace = await vendors.call(tool, variant.parameters, answering(answers[0] as AnswerVariant));
          findings.add(variant.title, findingsInRequest(one, loaded, variant, trace));
        }
        findings.expectNone();
      });

      it(`${tool.name} takes every answer that the description allows, and passes it on unchanged`, async () => {
        const loaded = vendors.toolkit.kernel.registry.get(tool.name);
        const parameters = requiredCall(loaded);
        const findings = new Findings();
        for (const answer of answers) {
          const { output, error } = await vendors.call(tool, parameters, answering(answer));
          findings.add(answer.title, findingsInAnswer(one, loaded, answer, output, error));
        }
        findings.expectNone();
      });
    }
  });
}

function findingsInRequest(one: DescribedTool, loaded: Tool, { parameters }: RequestVariant, { requests, error }: CallTrace): string[] {
  const [request] = requests;
  if (request === undefined || requests.length > 1) return [`sends ${requests.length} requests: ${messageOf(error)}`];
  const { provider, tool, operation } = one;
  const sent = readRequest(request, operation, tool);
  const given = { ...defaultsOf(loaded), ...parameters };
  const expected = expectedRequest({ ...one, parameters: given });
  const { body, raw } = withoutMail(sent.body, tool.compose?.into);
  const path = request.url.split('?', 1)[0] ?? '';
  return [
    ...sent.findings,
    ...findingsInHeaders(request, provider, tool),
    ...(tool.compose === undefined ? [] : findingsInMail(raw, parameters)),
    ...difference('path', decoded(path), decoded(expected.path)),
    ...difference('query', sent.query, expected.query),
    ...(operation.bodies.size === 0 ? [] : difference('body', body, expected.body)),
    ...(error === undefined ? [] : [messageOf(error)]),
  ];
}

function difference(what: string, sent: unknown, expected: unknown): string[] {
  return isDeepStrictEqual(sent, expected)
    ? []
    : [`${what}: sends ${inspect(sent, { depth: 9 })} and not ${inspect(expected, { depth: 9 })}`];
}

function decoded(path: string): string[] {
  return path.split('/').map(decodeURIComponent);
}

function defaultsOf({ parameters }: Tool): Record<string, unknown> {
  const entries = Object.entries(parameters).filter(([, parameter]) => parameter.default !== undefined);
  return Object.fromEntries(entries.map(([name, parameter]) => [name, parameter.default]));
}

function findingsInAnswer(
  { operation }: DescribedTool,
  loaded: Tool,
  { status, body }: AnswerVariant,
  output: JsonValue | undefined,
  error: unknown,
): string[] {
  const schema = operation.answers.find((answer) => answer.status === status)?.schema;
  const own =
    schema === undefined ? [] : checkValue(schema, body).map(({ path, message }) => `the generator of answers: ${path} ${message}`);
  if (error !== undefined) return [...own, ToolkitError.is(error) ? `${error.code} ${error.message}` : inspect(error)];
  return [...own, ...difference('output', output === undefined ? undefined : asAnswered(loaded, output), body ?? null)];
}
